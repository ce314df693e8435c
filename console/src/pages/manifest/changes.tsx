import { changeText } from '@service/client';
import { FileJson } from 'lucide-react';
import type { ReactNode } from 'react';
import { DataTable } from '../../parts/data-table.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import classes from './changes.module.css';
import { useManifestText } from './text.js';
import type { PlannedChange } from './use-manifest.js';

interface ChangesProps {
  readonly title: string;
  readonly changes: readonly PlannedChange[];
}

/** What becomes of each job, and of each value of those that change. */
export function Changes({ title, changes }: ChangesProps): ReactNode {
  const t = useManifestText();
  return (
    <Card flush title={title}>
      <DataTable
        label={title}
        columns={[
          { key: 'job', title: t('job'), cell: ({ id }) => <code>{id}</code> },
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
