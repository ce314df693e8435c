import { Grid, Skeleton } from '@mantine/core';
import type { RunStatsPoint } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormats } from '../parts/format.js';
import { Card } from '../parts/page.js';
import { Failure } from '../parts/states.js';
import { useStatusNames } from '../parts/run-status.js';
import { TimeChart } from '../parts/time-chart.js';
import { beginningOf } from '../parts/time-range.js';
import type { Range } from '../parts/time-range.js';
import { POLL_MS } from './live-runs.js';
import { useTenant } from './tenant.js';
import { useTenantText } from './text.js';

const INTERVALS = { hour: '1m', day: '1h', week: '1h', month: '1d' } as const;

export interface Stats {
  readonly points: readonly RunStatsPoint[] | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Figures of the runs of all jobs, or of one. */
export function useStats(range: Range, jobId?: string): Stats {
  const tenant = useTenant();
  const { data, error, refetch } = useQuery({
    // Not read again with each change of a run: a chart of a day does not show one run more.
    queryKey: ['stats', tenant.slug, range, jobId],
    queryFn: ({ signal }) =>
      tenant.client.runs.stats({ interval: INTERVALS[range], since: beginningOf(range), jobId, signal }),
    refetchInterval: POLL_MS,
    enabled: tenant.may('jobs:runs:read'),
  });
  return { points: data, error, retry: () => void refetch() };
}

/** Runs by how they ended, and how long they took, over time. */
export function RunCharts({ stats: { points, error, retry } }: { stats: Stats }): ReactNode {
  const t = useTenantText();
  const names = useStatusNames();
  const formats = useFormats();
  if (points === undefined)
    return error === null ? <Skeleton height={240} radius="lg" /> : <Failure error={error} onRetry={retry} />;
  const instants = points.map(({ at }) => at);
  const of = (pick: (point: RunStatsPoint) => number | null): (number | null)[] => points.map(pick);
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Card title={t('ended')}>
          <TimeChart
            kind="bars"
            label={t('ended')}
            instants={instants}
            format={(value) => formats.number(value)}
            series={[
              { name: names.completed, tone: 'ok', values: of(({ completed }) => completed) },
              { name: names.failed, tone: 'bad', values: of(({ failed }) => failed) },
              { name: names.cancelled, tone: 'wait', values: of(({ cancelled }) => cancelled) },
            ]}
          />
        </Card>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Card title={t('durations')}>
          <TimeChart
            kind="lines"
            label={t('durations')}
            instants={instants}
            format={(value) => formats.duration(value)}
            series={[
              { name: 'p95', tone: 'warn', values: of(({ p95_ms }) => p95_ms) },
              { name: 'p50', tone: 'run', values: of(({ p50_ms }) => p50_ms) },
            ]}
          />
        </Card>
      </Grid.Col>
    </Grid>
  );
}
