import { Button, Grid, Text } from '@mantine/core';
import type { Job, RunStatsPoint } from '@service/client';
import { Boxes, CalendarClock, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Figure, Figures } from '../../parts/figure.js';
import { useFormats } from '../../parts/format.js';
import { Instant } from '../../parts/instant.js';
import { Card, Page } from '../../parts/page.js';
import { Empty, Failure } from '../../parts/states.js';
import { RangeChoice, useRange } from '../../parts/time-range.js';
import { useLiveRuns } from '../../tenant/live-runs.js';
import { RunCharts, useStats } from '../../tenant/run-charts.js';
import type { Stats } from '../../tenant/run-charts.js';
import { useTenant } from '../../tenant/tenant.js';
import { Failures } from './failures.js';
import { ListSkeleton } from './list-skeleton.js';
import classes from './overview-page.module.css';
import { useOverviewText } from './text.js';
import { useAgreement, useJobs, useQueueState } from './use-overview.js';
import type { Loaded } from './use-overview.js';

const NEXT = 6;

interface RunFiguresProps {
  readonly stats: Stats;
  /** Undefined while they are loading; null for those who may not see them. */
  readonly jobs: Job[] | undefined | null;
}

function RunFigures({ stats, jobs }: RunFiguresProps): ReactNode {
  const t = useOverviewText();
  const formats = useFormats();
  const { path } = useTenant();
  const { data: queue } = useQueueState();
  const { points } = stats;
  const total = (of: (point: RunStatsPoint) => number): number =>
    points?.reduce((sum, point) => sum + of(point), 0) ?? 0;
  const [completed, failed] = [total((point) => point.completed), total((point) => point.failed)];
  const p95 = Math.max(0, ...(points ?? []).map(({ p95_ms }) => p95_ms ?? 0));
  const paused = jobs?.filter((job) => job.paused).length ?? 0;
  return (
    <Figures>
      <Figure
        name={t('success')}
        value={points && (completed + failed === 0 ? '–' : formats.percent(completed / (completed + failed)))}
        about={
          points &&
          t('successHint', { count: completed + failed, number: formats.number(completed + failed) })
        }
      />
      <Figure
        name={t('p95')}
        value={points && (p95 === 0 ? '–' : formats.duration(p95))}
        about={t('p95Hint')}
      />
      <Figure
        name={t('atWork')}
        value={queue && formats.number(queue.at_work)}
        to={`${path}/runs?status=running`}
      />
      <Figure
        name={t('waiting')}
        value={queue && formats.number(queue.waiting)}
        to={`${path}/queue`}
        about={
          queue && queue.delayed > 0 ? t('forLater', { number: formats.number(queue.delayed) }) : undefined
        }
      />
      {jobs !== null && (
        <Figure
          name={t('jobs')}
          value={jobs && formats.number(jobs.length)}
          to={`${path}/jobs`}
          about={paused === 0 ? undefined : t('jobsPaused', { count: paused })}
        />
      )}
    </Figures>
  );
}

function Next({ jobs: { data: jobs, error, refetch } }: { jobs: Loaded<Job[]> }): ReactNode {
  const t = useOverviewText();
  const { path, may } = useTenant();
  const maySchedule = may('jobs:jobs:write');
  const coming = jobs
    ?.flatMap((job) => (job.next_fire_at === null ? [] : [{ ...job, at: job.next_fire_at }]))
    .sort((left, right) => left.at.localeCompare(right.at))
    .slice(0, NEXT);
  return (
    <Card flush title={t('next')}>
      {coming === undefined &&
        (error === null ? <ListSkeleton /> : <Failure error={error} onRetry={() => void refetch()} />)}
      {coming?.length === 0 && (
        <Empty
          icon={jobs?.length === 0 ? Boxes : CalendarClock}
          title={t(jobs?.length === 0 ? 'noJobs' : 'noNext')}
          action={
            <Button component={Link} to={`${path}/${maySchedule ? 'manifest' : 'jobs'}`} variant="default">
              {t(maySchedule ? 'toManifest' : 'toJobs')}
            </Button>
          }
        >
          {t('noNextText')}
        </Empty>
      )}
      <ul className={classes.list}>
        {coming?.map(({ id, name, at }) => (
          <li key={id}>
            <Link to={`${path}/jobs/${encodeURIComponent(id)}`} className={classes.row}>
              <span className={classes.what}>
                <span className={classes.name} dir="auto">
                  {name}
                </span>
                <span className={classes.detail}>
                  <Instant at={at} />
                </span>
              </span>
              <Text span size="sm" c="dimmed">
                <Instant at={at} relative />
              </Text>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function RunsAndJobs(): ReactNode {
  const t = useOverviewText();
  const tenant = useTenant();
  const [maySeeRuns, maySeeJobs] = [tenant.may('jobs:runs:read'), tenant.may('jobs:jobs:read')];
  const [range, setRange] = useRange();
  const stats = useStats(range);
  const jobs = useJobs();
  useLiveRuns();
  useAgreement(stats);
  return (
    <Page
      title={t('title')}
      about={<span dir="auto">{tenant.name}</span>}
      actions={maySeeRuns && <RangeChoice range={range} onChange={setRange} />}
    >
      {maySeeRuns && <RunFigures stats={stats} jobs={maySeeJobs ? jobs.data : null} />}
      {maySeeRuns && <RunCharts stats={stats} />}
      <Grid gap="lg">
        {maySeeRuns && (
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Failures />
          </Grid.Col>
        )}
        {maySeeJobs && (
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Next jobs={jobs} />
          </Grid.Col>
        )}
      </Grid>
    </Page>
  );
}

export default function OverviewPage(): ReactNode {
  const t = useOverviewText();
  const { name, may } = useTenant();
  if (may('jobs:runs:read') || may('jobs:jobs:read')) return <RunsAndJobs />;
  return (
    <Page title={t('title')} about={<span dir="auto">{name}</span>}>
      <Card>
        <Empty icon={Lock} title={t('noPermission')}>
          {t('noPermissionText')}
        </Empty>
      </Card>
    </Page>
  );
}
