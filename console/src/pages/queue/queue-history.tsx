import { Grid, Skeleton } from '@mantine/core';
import type { Queue, RunStatsPoint } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormats } from '../../parts/format.js';
import { Card } from '../../parts/page.js';
import { Failure } from '../../parts/states.js';
import { TimeChart } from '../../parts/time-chart.js';
import { beginningOf } from '../../parts/time-range.js';
import { POLL_MS } from '../../tenant/live-runs.js';
import { useTenant } from '../../tenant/tenant.js';
import { openRunsOf } from './open-runs.js';
import { useQueueText } from './text.js';

interface History {
  readonly points: readonly RunStatsPoint[];
  readonly queue: Queue;
}

/** How many runs were open over the last hour, and how long they waited for a worker. */
export function QueueHistory(): ReactNode {
  const t = useQueueText();
  const formats = useFormats();
  const tenant = useTenant();
  const { data, error, refetch } = useQuery<History>({
    queryKey: ['stats', tenant.slug, 'queue'],
    queryFn: async ({ signal }) => {
      const { runs } = tenant.client;
      const [points, queue] = await Promise.all([
        runs.stats({ interval: '1m', since: beginningOf('hour'), signal }),
        runs.queue({ signal }),
      ]);
      return { points, queue };
    },
    refetchInterval: POLL_MS,
  });
  if (data === undefined)
    return error === null ? (
      <Skeleton height={220} radius="lg" />
    ) : (
      <Failure error={error} onRetry={() => void refetch()} />
    );
  const { points, queue } = data;
  const instants = points.map(({ at }) => at);
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Card title={t('open')}>
          <TimeChart
            kind="bars"
            label={t('open')}
            instants={instants}
            format={(value) => formats.number(value)}
            series={[
              {
                name: t('openSeries'),
                tone: 'run',
                values: openRunsOf(points, queue.waiting + queue.delayed + queue.at_work),
              },
            ]}
          />
        </Card>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Card title={t('waits')}>
          <TimeChart
            kind="lines"
            label={t('waits')}
            instants={instants}
            format={(value) => formats.duration(value)}
            series={[{ name: 'p95', tone: 'warn', values: points.map(({ wait_p95_ms }) => wait_p95_ms) }]}
          />
        </Card>
      </Grid.Col>
    </Grid>
  );
}
