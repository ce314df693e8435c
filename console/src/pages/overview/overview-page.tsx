import { Anchor, Grid, Skeleton, Text } from '@mantine/core';
import type { Job, Run } from '@service/client';
import { CalendarClock, CircleCheck, Layers } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Figure, Figures } from '../../parts/figure.js';
import { useFormats } from '../../parts/format.js';
import { Instant } from '../../parts/instant.js';
import { Card, Page } from '../../parts/page.js';
import { StatusIcon } from '../../parts/run-status.js';
import { Empty, Failure } from '../../parts/states.js';
import { useLiveRuns } from '../../tenant/live-runs.js';
import { useTenant } from '../../tenant/tenant.js';
import classes from './overview-page.module.css';
import { RunBars } from './run-bars.js';
import { useOverviewText } from './text.js';
import { percentile, useJobs, useLastFailures, useRecentRuns } from './use-overview.js';

const NEXT = 6;
const P95 = 0.95;

function RunFigures({ runs, jobs }: { runs: Run[] | undefined; jobs: Job[] | undefined }): ReactNode {
  const t = useOverviewText();
  const formats = useFormats();
  const of = (...statuses: Run['status'][]): Run[] =>
    runs?.filter(({ status }) => statuses.includes(status)) ?? [];
  const ended = of('completed', 'failed');
  const durations = of('completed').flatMap(({ duration_ms }) => duration_ms ?? []);
  const p95 = percentile(durations, P95);
  const paused = jobs?.filter((job) => job.paused).length ?? 0;
  const whenThere = (value: () => ReactNode): ReactNode => (runs === undefined ? undefined : value());
  return (
    <Figures>
      <Figure
        name={t('success')}
        value={whenThere(() =>
          ended.length === 0 ? '–' : formats.percent(of('completed').length / ended.length),
        )}
        about={t('successHint', { count: ended.length })}
      />
      <Figure name={t('p95')} value={whenThere(() => (p95 === null ? '–' : formats.duration(p95)))} />
      <Figure name={t('atWork')} value={whenThere(() => formats.number(of('running').length))} />
      <Figure name={t('waiting')} value={whenThere(() => formats.number(of('queued', 'retrying').length))} />
      <Figure
        name={t('jobs')}
        value={jobs === undefined ? undefined : formats.number(jobs.length)}
        about={paused === 0 ? undefined : t('jobsPaused', { count: paused })}
      />
    </Figures>
  );
}

function ListSkeleton(): ReactNode {
  return (
    <div className={classes.skeletons} aria-hidden>
      {[70, 55, 62, 48].map((width) => (
        <Skeleton key={width} height={14} width={`${width}%`} />
      ))}
    </div>
  );
}

function Failures(): ReactNode {
  const t = useOverviewText();
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
        {data?.map((run) => (
          <li key={run.id}>
            <Link to={`${path}/runs/${run.id}`} className={classes.row}>
              <span className={classes.bad}>
                <StatusIcon status="failed" />
              </span>
              <span className={classes.what}>
                <span className={classes.name}>{run.job_id}</span>
                <span className={classes.detail} dir="auto">
                  {run.error?.message ?? ''}
                </span>
              </span>
              <Instant at={run.completed_at} />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Next({ jobs }: { jobs: Job[] | undefined }): ReactNode {
  const t = useOverviewText();
  const { path } = useTenant();
  const coming = jobs
    ?.flatMap((job) => (job.next_fire_at === null ? [] : [{ ...job, at: job.next_fire_at }]))
    .sort((left, right) => left.at.localeCompare(right.at))
    .slice(0, NEXT);
  return (
    <Card flush title={t('next')}>
      {coming === undefined && <ListSkeleton />}
      {coming?.length === 0 && (
        <Empty icon={CalendarClock} title={t('noNext')}>
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

export default function OverviewPage(): ReactNode {
  const t = useOverviewText();
  const tenant = useTenant();
  const recent = useRecentRuns();
  const jobs = useJobs();
  useLiveRuns();
  return (
    <Page title={t('title')} about={<span dir="auto">{tenant.name}</span>}>
      <RunFigures runs={recent.data} jobs={jobs.data} />
      <Card title={t('recent')}>
        {recent.error !== null && recent.data === undefined && (
          <Failure error={recent.error} onRetry={() => void recent.refetch()} />
        )}
        {recent.data === undefined && recent.error === null && <Skeleton height={96} />}
        {recent.data?.length === 0 && (
          <Empty icon={Layers} title={t('emptyTitle')}>
            {t('emptyText')}
          </Empty>
        )}
        {recent.data !== undefined && recent.data.length > 0 && (
          <>
            <RunBars runs={recent.data} />
            <Text size="xs" c="dimmed" mt="sm">
              {t('recentHint', { count: recent.data.length })}
            </Text>
          </>
        )}
      </Card>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Failures />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Next jobs={jobs.data} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}
