import { Alert, Anchor, Button, Group } from '@mantine/core';
import type { Job } from '@service/client';
import { useDisclosure } from '@mantine/hooks';
import { Activity, Pause, Play, Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { DataTable } from '../../parts/data-table.js';
import { Facts } from '../../parts/facts.js';
import { useFormats } from '../../parts/format.js';
import { Identifier } from '../../parts/identifier.js';
import { Instant } from '../../parts/instant.js';
import { JsonView } from '../../parts/json-view.js';
import { Card, Page, PageSkeleton } from '../../parts/page.js';
import { messageOf } from '../../parts/queries.js';
import { Empty, Failure } from '../../parts/states.js';
import { RangeChoice, useRange } from '../../parts/time-range.js';
import { useLiveRuns } from '../../tenant/live-runs.js';
import { RunCharts, useStats } from '../../tenant/run-charts.js';
import { useTenant } from '../../tenant/tenant.js';
import { useRunColumns } from '../runs/run-columns.js';
import { useJobText } from './text.js';
import { TriggerForm } from './trigger-form.js';
import { Webhook } from './webhook.js';
import { useComing, useJob, useJobActions, useLatestRuns } from './use-job.js';

function Actions({ job, onTrigger }: { job: Job; onTrigger: () => void }): ReactNode {
  const t = useJobText();
  const { may } = useTenant();
  const { setPaused } = useJobActions(job.id);
  return (
    <>
      {may('jobs:jobs:write') && (
        <Button
          variant="default"
          leftSection={job.paused ? <Play size={15} /> : <Pause size={15} />}
          loading={setPaused.isPending}
          onClick={() => {
            setPaused.mutate(!job.paused);
          }}
        >
          {t(job.paused ? 'resume' : 'pause')}
        </Button>
      )}
      {may('jobs:jobs:trigger') && (
        <Button leftSection={<Zap size={15} />} onClick={onTrigger}>
          {t('trigger')}
        </Button>
      )}
      {setPaused.error !== null && <span role="alert">{messageOf(setPaused.error)}</span>}
    </>
  );
}

function Latest({ job }: { job: Job }): ReactNode {
  const t = useJobText();
  const { path } = useTenant();
  const columns = useRunColumns({ withJob: false });
  const { data, error, refetch } = useLatestRuns(job.id);
  return (
    <Card
      flush
      title={t('latest')}
      action={
        <Anchor component={Link} to={`${path}/runs?job=${encodeURIComponent(job.id)}`} size="sm">
          {t('all')}
        </Anchor>
      }
    >
      <DataTable
        label={t('latest')}
        columns={columns}
        rows={data}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={<Empty icon={Activity} title={t('noRuns')} />}
        expected={3}
      />
    </Card>
  );
}

function History({ job }: { job: Job }): ReactNode {
  const [range, setRange] = useRange();
  const stats = useStats(range, job.id);
  return (
    <>
      <Group justify="flex-end">
        <RangeChoice range={range} onChange={setRange} />
      </Group>
      <RunCharts stats={stats} />
    </>
  );
}

function Coming({ job }: { job: Job }): ReactNode {
  const t = useJobText();
  const { data } = useComing(job.id);
  if (data === undefined || data.length === 0) return null;
  return (
    <Card title={t('coming')}>
      <Facts
        facts={data.flatMap(({ schedule, timezone, trigger, next }) =>
          next.map((at) => ({
            key: `${trigger} ${at}`,
            name: `${schedule} · ${timezone}`,
            value: <Instant at={at} />,
          })),
        )}
      />
    </Card>
  );
}

/** The events that each trigger on events names, with the jobs that it is limited to. */
function useListened({ triggers }: Job): string[] {
  const t = useJobText();
  return triggers.flatMap((trigger) => {
    if (trigger.type !== 'event') return [];
    const events = trigger.events.join(', ');
    return trigger.jobs === undefined ? events : t('ofJobs', { events, jobs: trigger.jobs.join(', ') });
  });
}

function Shown({ job }: { job: Job }): ReactNode {
  const t = useJobText();
  const formats = useFormats();
  const { path, may } = useTenant();
  const listened = useListened(job);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Page
      title={job.name}
      above={[{ title: t('jobs'), to: `${path}/jobs` }]}
      about={job.description === null ? undefined : <span dir="auto">{job.description}</span>}
      actions={<Actions job={job} onTrigger={open} />}
    >
      {job.paused && (
        <Alert color="yellow" variant="default" icon={<Pause size={17} />}>
          {t('paused')}
        </Alert>
      )}
      <Card>
        <Facts
          facts={[
            { name: t('id'), value: <Identifier value={job.id} what={t('id')} /> },
            { name: t('handler'), value: <code>{job.handler}</code> },
            { name: t('timeout'), value: formats.duration(job.timeout_ms) },
            { name: t('retries'), value: formats.number(job.retries) },
            {
              name: t('concurrency'),
              value:
                job.max_concurrent_runs === null ? t('unlimited') : formats.number(job.max_concurrent_runs),
            },
            { name: t('priority'), value: formats.number(job.priority) },
            {
              name: t('startWithin'),
              value:
                job.start_within_ms === undefined ? t('unlimited') : formats.duration(job.start_within_ms),
            },
            ...(listened.length === 0 ? [] : [{ name: t('listens'), value: listened.join('; ') }]),
            { name: t('next'), value: <Instant at={job.next_fire_at} relative /> },
            { name: t('updated'), value: <Instant at={job.updated_at} /> },
          ]}
        />
      </Card>
      {may('jobs:runs:read') && <History job={job} />}
      {may('jobs:runs:read') && <Latest job={job} />}
      <Card title={t('triggers')}>
        {job.triggers.length === 0 ? (
          t('noTriggers')
        ) : (
          <JsonView value={job.triggers} label={t('triggers')} />
        )}
      </Card>
      {job.triggers.map(
        (trigger) => trigger.type === 'webhook' && <Webhook key={trigger.path} trigger={trigger} />,
      )}
      <Coming job={job} />
      <TriggerForm job={job} isOpen={isOpen} onClose={close} />
    </Page>
  );
}

export default function JobPage(): ReactNode {
  const { id = '' } = useParams();
  const { data, error, isPending, refetch } = useJob(id);
  useLiveRuns();
  if (data !== undefined) return <Shown job={data} />;
  return isPending ? <PageSkeleton /> : <Failure isWholePage error={error} onRetry={() => void refetch()} />;
}
