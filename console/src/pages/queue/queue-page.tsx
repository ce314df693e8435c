import type { Queue } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { DataTable } from '../../parts/data-table.js';
import type { Column } from '../../parts/data-table.js';
import { Figure, Figures } from '../../parts/figure.js';
import { useFormats } from '../../parts/format.js';
import { Card, Page } from '../../parts/page.js';
import { useQueueColumns } from '../../parts/queue-columns.js';
import { Empty } from '../../parts/states.js';
import { runsKey, useLiveRuns } from '../../tenant/live-runs.js';
import { useTenant } from '../../tenant/tenant.js';
import { QueueHistory } from './queue-history.js';
import { useQueueText } from './text.js';

type QueuedJob = Queue['jobs'][number];

/** How long a run has waited grows without any change. */
const REFRESH_MS = 2_000;

function QueueFigures({ queue }: { queue: Queue | undefined }): ReactNode {
  const t = useQueueText();
  const formats = useFormats();
  const limit = queue?.limits.waiting_runs ?? null;
  return (
    <Figures>
      <Figure
        name={t('waiting')}
        value={queue && formats.number(queue.waiting)}
        about={limit === null ? undefined : t('ofWaiting', { limit: formats.number(limit) })}
      />
      <Figure
        name={t('oldest')}
        value={queue && (queue.oldest_wait_ms === null ? '–' : formats.duration(queue.oldest_wait_ms))}
      />
      <Figure
        name={t('atWork')}
        value={queue && formats.number(queue.at_work)}
        about={queue && t('ofAtWork', { limit: formats.number(queue.limits.concurrent_runs) })}
      />
      <Figure name={t('delayed')} value={queue && formats.number(queue.delayed)} about={t('delayedHint')} />
    </Figures>
  );
}

/** What waits and what is at work in one organization or project, by job. */
export default function QueuePage(): ReactNode {
  const t = useQueueText();
  const tenant = useTenant();
  useLiveRuns();
  const { data, error, refetch } = useQuery({
    queryKey: runsKey(tenant, 'queue'),
    queryFn: ({ signal }) => tenant.client.runs.queue({ signal }),
    refetchInterval: REFRESH_MS,
  });
  const columns: Column<QueuedJob>[] = [
    {
      key: 'job',
      title: t('job'),
      cell: ({ job_id, paused }) => (
        <span>
          <Link to={`${tenant.path}/jobs/${encodeURIComponent(job_id)}`}>
            <code>{job_id}</code>
          </Link>
          {paused !== false && <span> · {t(paused === null ? 'deleted' : 'paused')}</span>}
        </span>
      ),
    },
    ...useQueueColumns<QueuedJob>(),
  ];
  return (
    <Page title={t('title')} about={t('about')}>
      <QueueFigures queue={data} />
      <QueueHistory />
      <Card flush title={t('jobs')}>
        <DataTable
          label={t('jobs')}
          columns={columns}
          rows={data?.jobs}
          keyOf={({ job_id }) => job_id}
          opensRows
          error={error}
          onRetry={() => void refetch()}
          empty={
            <Empty icon={CircleCheck} title={t('nothing')}>
              {t('nothingText')}
            </Empty>
          }
        />
      </Card>
    </Page>
  );
}
