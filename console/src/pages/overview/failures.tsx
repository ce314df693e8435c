import { Anchor } from '@mantine/core';
import type { Run } from '@service/client';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useFormats } from '../../parts/format.js';
import { Instant } from '../../parts/instant.js';
import { Card } from '../../parts/page.js';
import { StatusIcon } from '../../parts/run-status.js';
import { Empty, Failure } from '../../parts/states.js';
import { useJobName } from '../../tenant/job-names.js';
import { useTenant } from '../../tenant/tenant.js';
import { ListSkeleton } from './list-skeleton.js';
import classes from './overview-page.module.css';
import { useOverviewText } from './text.js';
import { READ_FAILURES, useLastFailures } from './use-overview.js';

const SHOWN = 6;

/** Runs of one job that failed for the same reason; the newest of them is shown. */
interface FailureGroup {
  readonly newest: Run;
  readonly count: number;
}

/** @param runs the newest first */
function groupsOf(runs: readonly Run[]): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const run of runs) {
    const key = JSON.stringify([run.job_id, run.error?.code, run.error?.message]);
    const known = groups.get(key);
    groups.set(key, known === undefined ? { newest: run, count: 1 } : { ...known, count: known.count + 1 });
  }
  return [...groups.values()].slice(0, SHOWN);
}

function Group({ group: { newest, count } }: { group: FailureGroup }): ReactNode {
  const t = useOverviewText();
  const formats = useFormats();
  const { path } = useTenant();
  const job = useJobName(newest.job_id);
  return (
    <li className={classes.group}>
      <Link to={`${path}/runs/${newest.id}`} className={classes.row}>
        <span className={classes.bad}>
          <StatusIcon status="failed" />
        </span>
        <span className={classes.what}>
          <span className={classes.name}>
            <bdi>{job}</bdi>
            {job !== newest.job_id && <code className={classes.id}>{newest.job_id}</code>}
          </span>
          <span className={classes.detail} dir="auto">
            {newest.error?.message ?? ''}
          </span>
        </span>
        <Instant at={newest.completed_at} withSeconds />
      </Link>
      {count > 1 && (
        <Link
          to={`${path}/runs?${new URLSearchParams({ status: 'failed', job: newest.job_id, error: newest.error?.code ?? '' }).toString()}`}
          className={classes.count}
          aria-label={t('failedTimes', { count, job: newest.job_id })}
        >
          × {formats.number(count)}
        </Link>
      )}
    </li>
  );
}

/** What failed last, grouped by job and error. */
export function Failures(): ReactNode {
  const t = useOverviewText();
  const formats = useFormats();
  const { path } = useTenant();
  const { data, error, refetch } = useLastFailures();
  return (
    <Card
      flush
      title={t('failures')}
      action={
        <Anchor component={Link} to={`${path}/runs?status=failed`} size="sm">
          {t('all')}
        </Anchor>
      }
    >
      {data === undefined &&
        (error === null ? <ListSkeleton /> : <Failure error={error} onRetry={() => void refetch()} />)}
      {data?.length === 0 && (
        <Empty icon={CircleCheck} title={t('noFailures')}>
          {t('noFailuresText')}
        </Empty>
      )}
      <ul className={classes.list}>
        {groupsOf(data ?? []).map((group) => (
          <Group key={group.newest.id} group={group} />
        ))}
      </ul>
      {data?.length === READ_FAILURES && (
        <p className={classes.note}>{t('ofLast', { number: formats.number(READ_FAILURES) })}</p>
      )}
    </Card>
  );
}
