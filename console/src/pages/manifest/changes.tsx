import { changeText } from '@service/client';
import { FileJson, TriangleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { DataTable } from '../../parts/data-table.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { useTenant } from '../../tenant/tenant.js';
import { useSecrets } from '../secrets/use-secrets.js';
import classes from './changes.module.css';
import { useManifestText } from './text.js';
import type { PlannedChange } from './use-manifest.js';

type Change = PlannedChange['change'];

/** What is lost comes first, what stays as it is last. */
const ORDER: readonly Change[] = ['deleted', 'updated', 'created', 'unchanged'];

const PLANNED = {
  deleted: 'willBeDeleted',
  updated: 'willBeUpdated',
  created: 'willBeCreated',
  unchanged: 'unchanged',
} as const;

const COUNTS = {
  deleted: 'countDeleted',
  updated: 'countUpdated',
  created: 'countCreated',
  unchanged: 'countUnchanged',
} as const;

function inOrder(changes: readonly PlannedChange[]): PlannedChange[] {
  return [...changes].sort((one, other) => ORDER.indexOf(one.change) - ORDER.indexOf(other.change));
}

/** How many jobs become what, and a warning before any of them is deleted. */
function Summary({ isDone, changes }: ChangesProps): ReactNode {
  const t = useManifestText();
  const countOf = (wanted: Change): number => changes.filter(({ change }) => change === wanted).length;
  const isWarned = !isDone && countOf('deleted') > 0;
  const counts = ORDER.filter((change) => countOf(change) > 0 && !(isWarned && change === 'deleted'));
  return (
    <div role="status" className={classes.summary}>
      {isWarned && (
        <p className={classes.warning}>
          <TriangleAlert size={16} aria-hidden />
          {t('deleteWarning', { count: countOf('deleted') })}
        </p>
      )}
      {counts.map((change) => t(COUNTS[change], { count: countOf(change) })).join(', ')}
    </div>
  );
}

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
  const isSecretUsed = isDone && changes.some(({ secretPath }) => secretPath !== null);
  const { data: secrets } = useSecrets({ enabled: isSecretUsed && may('jobs:secrets:read') });
  /** Until it is set, the webhook refuses all calls. */
  const isMissing = (secretPath: string): boolean =>
    isDone && secrets !== undefined && !secrets.some((secret) => secret.path === secretPath);
  const pageOf = (id: string): string => `${path}/jobs/${encodeURIComponent(id)}`;
  const place = useRef<HTMLDivElement>(null);
  // It may lie below the window.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [isDone, changes]);
  return (
    <div ref={place} className={`${classes.place ?? ''} ${classes.changes ?? ''}`}>
      <Card flush title={title}>
        {changes.length > 0 && <Summary isDone={isDone} changes={changes} />}
        <DataTable
          label={title}
          columns={[
            {
              key: 'job',
              title: t('ofJob'),
              cell: ({ id, change }) =>
                isDone && change !== 'deleted' && may('jobs:jobs:read') ? (
                  <Link to={pageOf(id)}>
                    <code>{id}</code>
                  </Link>
                ) : (
                  <code>{id}</code>
                ),
            },
            {
              key: 'change',
              title: t('change'),
              cell: ({ id, change, fields, secretPath }) => (
                <>
                  <span className={change === 'deleted' ? classes.deleted : undefined}>
                    {t(isDone ? change : PLANNED[change])}
                  </span>
                  {fields.length > 0 && (
                    <ul className={classes.fields}>
                      {fields.map((field) => (
                        <li key={field.path}>
                          <code>{changeText(field)}</code>
                        </li>
                      ))}
                    </ul>
                  )}
                  {secretPath !== null && isMissing(secretPath) && may('jobs:jobs:read') && (
                    <div>
                      <Link to={pageOf(id)}>{t('setSecret', { path: secretPath })}</Link>
                    </div>
                  )}
                </>
              ),
            },
          ]}
          rows={inOrder(changes)}
          keyOf={({ id }) => id}
          empty={<Empty icon={FileJson} title={t('nothing')} />}
        />
      </Card>
    </div>
  );
}
