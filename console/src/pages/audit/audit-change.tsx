import type { AuditEntry } from '@service/client';
import type { ReactNode } from 'react';
import { BreakableText } from '../../parts/breakable-text.js';
import classes from './audit-trail.module.css';
import { listChangeOf } from './list-change.js';
import { namedJobsOf } from './named-jobs.js';
import { useAuditText } from './text.js';

const SHOWN = 4;
const JOBS_SHOWN = 3;

function textOf(value: unknown): string | null {
  if (value == null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What an entry changed: of a list, what was added and removed; else the values before and after. */
export function AuditChange({
  change,
  isWhole = false,
}: Pick<AuditEntry, 'change'> & { isWhole?: boolean }): ReactNode {
  const t = useAuditText();
  if (change === null) return null;
  const list = listChangeOf(change);
  if (list === null)
    return (
      <span className={classes.change}>
        <code className={classes.before} dir="auto">
          {textOf(change.before) ?? t('noValue')}
        </code>
        <span aria-hidden>→</span>
        <code className={classes.after} dir="auto">
          {textOf(change.after) ?? t('noValue')}
        </code>
      </span>
    );
  const shown = isWhole ? list : list.slice(0, SHOWN);
  return (
    <span className={classes.list}>
      {shown.map(({ isAdded, item }) => (
        <code key={`${String(isAdded)}${item}`} className={isAdded ? classes.after : classes.before}>
          {isAdded ? '+' : '−'} <BreakableText>{item}</BreakableText>
        </code>
      ))}
      {list.length > shown.length && <span>{t('further', { count: list.length - shown.length })}</span>}
    </span>
  );
}

/** What an entry of the list changed: the jobs that it names, or a value. */
export function EntryChange({ entry }: { entry: AuditEntry }): ReactNode {
  const t = useAuditText();
  const jobs = namedJobsOf(entry);
  if (jobs.length === 0) return <AuditChange change={entry.change} />;
  const shown = jobs.slice(0, JOBS_SHOWN).map(({ id, change }) => t(`job.${change}`, { id }));
  const more = jobs.length - shown.length;
  return (
    <span className={classes.jobs}>
      <BreakableText>{shown.join(', ')}</BreakableText>
      {more > 0 && ` ${t('andMore', { count: more })}`}
    </span>
  );
}
