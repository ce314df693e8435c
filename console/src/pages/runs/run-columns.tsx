import type { Run } from '@service/client';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Column } from '../../parts/data-table.js';
import { useFormats } from '../../parts/format.js';
import { Identifier } from '../../parts/identifier.js';
import { Instant } from '../../parts/instant.js';
import { RunStatusBadge } from '../../parts/run-status.js';
import { useTenant } from '../../tenant/tenant.js';
import classes from './run-columns.module.css';
import { useRunsText } from './text.js';

/** Why a run failed: the code, and as much of the message as two lines have room for. */
function RunError({ run: { status, error } }: { run: Run }): ReactNode {
  // Of a cancelled run, the error says only that it was cancelled.
  if (error == null || status === 'cancelled') return null;
  return (
    <span className={`${classes.error} two-lines`} title={error.message} dir="auto">
      <code>{error.code}</code> {error.message}
    </span>
  );
}

/** The columns of every list of runs; the job's pages leave out the job. */
export function useRunColumns({ withJob = true } = {}): readonly Column<Run>[] {
  const t = useRunsText();
  const formats = useFormats();
  const { path } = useTenant();
  const columns: Column<Run>[] = [
    {
      key: 'status',
      title: t('status'),
      cell: ({ status }) => <RunStatusBadge status={status} />,
    },
    {
      key: 'job',
      title: t('job'),
      cell: (run) => (
        <>
          <Link
            to={`${path}/runs/${run.id}`}
            style={{ fontWeight: 550, textDecoration: 'none' }}
            className="two-lines"
            title={run.job_id}
          >
            {run.job_id}
          </Link>
          <RunError run={run} />
        </>
      ),
    },
    {
      key: 'run',
      title: t('run'),
      optional: withJob,
      cell: (run) => (
        <>
          <Identifier value={run.id} what={t('run')} to={`${path}/runs/${run.id}`} short />
          {!withJob && <RunError run={run} />}
        </>
      ),
    },
    { key: 'trigger', title: t('trigger'), optional: true, cell: ({ trigger }) => t(trigger.type) },
    {
      key: 'attempts',
      title: t('attempts'),
      optional: true,
      align: 'end',
      cell: ({ attempt, max_attempts }) => (
        <span className="numbers">
          {attempt}/{max_attempts}
        </span>
      ),
    },
    {
      key: 'created',
      title: t('created'),
      cell: ({ created_at }) => <Instant at={created_at} withSeconds />,
    },
    {
      key: 'duration',
      title: t('duration'),
      align: 'end',
      // Beside the id, which only the lists of one job have there.
      optional: withJob ? false : 'phone',
      cell: ({ duration_ms }) => (
        <span className="numbers">{duration_ms === null ? '–' : formats.duration(duration_ms)}</span>
      ),
    },
  ];
  return withJob ? columns : columns.filter(({ key }) => key !== 'job');
}
