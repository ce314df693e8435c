import { Button } from '@mantine/core';
import type { Job } from '@service/client';
import { Boxes, FileJson, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { DataTable, NarrowLine } from '../../parts/data-table.js';
import type { Column } from '../../parts/data-table.js';
import { useFilters } from '../../parts/filters.js';
import { FindFilter } from '../../parts/find-filter.js';
import { compareNames } from '../../parts/compare-names.js';
import { Instant } from '../../parts/instant.js';
import { Card, Page } from '../../parts/page.js';
import { RunStatusBadge } from '../../parts/run-status.js';
import { Empty, NothingFound } from '../../parts/states.js';
import { useLiveRuns } from '../../tenant/live-runs.js';
import { useTenant } from '../../tenant/tenant.js';
import classes from './jobs-page.module.css';
import { useJobsText } from './text.js';
import { useJobs } from './use-jobs.js';

function State({ job: { paused, problems } }: { job: Job }): ReactNode {
  const t = useJobsText();
  return (
    <span className={classes.states}>
      <span className={paused ? classes.paused : undefined}>{t(paused ? 'paused' : 'active')}</span>
      {problems !== undefined && (
        <span className={classes.problem}>
          <TriangleAlert size={13} aria-hidden />
          {t('problem')}
        </span>
      )}
    </span>
  );
}

/** A run that has not begun says when it was asked for. */
function LastRun({ run }: { run: NonNullable<Job['last_run']> }): ReactNode {
  const { path } = useTenant();
  return (
    <>
      <Link to={`${path}/runs/${run.id}`} className={classes.last}>
        <RunStatusBadge status={run.status} />
      </Link>
      <div className={classes.when}>
        <Instant at={run.completed_at ?? run.started_at ?? run.created_at} relative />
      </div>
    </>
  );
}

function useColumns(): Column<Job>[] {
  const t = useJobsText();
  const { path } = useTenant();
  return [
    {
      key: 'name',
      title: t('name'),
      cell: (job) => (
        <>
          <Link to={`${path}/jobs/${encodeURIComponent(job.id)}`} className={classes.job}>
            <span className="two-lines" dir="auto" title={job.name}>
              {job.name}
            </span>
            <code className="two-lines" title={job.id}>
              {job.id}
            </code>
          </Link>
          {(job.paused || job.problems !== undefined) && (
            <NarrowLine>
              <State job={job} />
            </NarrowLine>
          )}
        </>
      ),
    },
    {
      key: 'state',
      title: t('state'),
      optional: true,
      cell: (job) => <State job={job} />,
    },
    {
      key: 'triggers',
      title: t('triggers'),
      optional: true,
      cell: ({ triggers }) =>
        triggers.length === 0 ? t('byHand') : [...new Set(triggers.map(({ type }) => t(type)))].join(', '),
    },
    {
      key: 'last',
      title: t('last'),
      cell: ({ last_run }) =>
        last_run === null ? <span className={classes.quiet}>{t('never')}</span> : <LastRun run={last_run} />,
    },
    {
      key: 'next',
      title: t('next'),
      optional: true,
      cell: ({ next_fire_at }) => <Instant at={next_fire_at} relative />,
    },
  ];
}

export default function JobsPage(): ReactNode {
  const t = useJobsText();
  const filters = useFilters(['find']);
  const { data, error, refetch } = useJobs();
  const columns = useColumns();
  useLiveRuns();
  const wanted = filters.values.find.toLowerCase();
  const shown = data
    ?.filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(wanted))
    .sort((left, right) => compareNames(left.name, right.name));
  const { path, may } = useTenant();
  const deploy = may('jobs:jobs:write') && (
    <Button
      component={Link}
      to={`${path}/manifest`}
      variant={data?.length === 0 ? 'filled' : 'default'}
      leftSection={<FileJson size={15} />}
    >
      {t('deploy')}
    </Button>
  );
  return (
    <Page title={t('title')} about={t('about')} actions={data?.length !== 0 && deploy}>
      <FindFilter label={t('find')} filters={filters} />
      <Card flush>
        <DataTable
          label={t('title')}
          columns={columns}
          rows={shown}
          keyOf={({ id }) => id}
          opensRows
          error={error}
          onRetry={() => void refetch()}
          empty={
            filters.isAny ? (
              <NothingFound onClear={filters.clear} />
            ) : (
              <Empty icon={Boxes} title={t('emptyTitle')} action={deploy}>
                {t('emptyText')}
              </Empty>
            )
          }
        />
      </Card>
    </Page>
  );
}
