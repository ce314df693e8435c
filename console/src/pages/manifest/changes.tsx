import { changeText } from '@service/client';
import { FileJson } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { DataTable } from '../../parts/data-table.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { useTenant } from '../../tenant/tenant.js';
import classes from './changes.module.css';
import { useManifestText } from './text.js';
import type { PlannedChange } from './use-manifest.js';

interface ChangesProps {
  /** Whether they are deployed, and not only compared. */
  readonly isDone: boolean;
  readonly changes: readonly PlannedChange[];
}

/** What becomes of each job, and of each value of those that change. */
export function Changes({ isDone, changes }: ChangesProps): ReactNode {
  const t = useManifestText();
  const { path, may } = useTenant();
  const title = t(isDone ? 'deployed' : 'changes');
  return (
    <Card flush title={title}>
      <DataTable
        label={title}
        columns={[
          {
            key: 'job',
            title: t('ofJob'),
            cell: ({ id, change }) =>
              isDone && change !== 'deleted' && may('jobs:jobs:read') ? (
                <Link to={`${path}/jobs/${encodeURIComponent(id)}`}>
                  <code>{id}</code>
                </Link>
              ) : (
                <code>{id}</code>
              ),
          },
          {
            key: 'change',
            title: t('change'),
            cell: ({ change, fields }) => (
              <>
                {t(change)}
                {fields.length > 0 && (
                  <ul className={classes.fields}>
                    {fields.map((field) => (
                      <li key={field.path}>
                        <code>{changeText(field)}</code>
                      </li>
                    ))}
                  </ul>
                )}
              </>
            ),
          },
        ]}
        rows={changes}
        keyOf={({ id }) => id}
        empty={<Empty icon={FileJson} title={t('nothing')} />}
      />
    </Card>
  );
}
