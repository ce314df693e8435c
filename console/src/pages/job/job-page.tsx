import { Alert, Anchor, Button, Group } from '@mantine/core';
import type { Job } from '@service/client';
import { useDisclosure } from '@mantine/hooks';
import { Activity, Pause, Play, Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { DataTable } from '../../parts/data-table.js';
import { Card, Page, PageSkeleton } from '../../parts/page.js';
import { messageOf } from '../../parts/queries.js';
import { Empty, Failure } from '../../parts/states.js';
import { RangeChoice, useRange } from '../../parts/time-range.js';
import { useLiveRuns } from '../../tenant/live-runs.js';
import { RunCharts, useStats } from '../../tenant/run-charts.js';
import { useTenant } from '../../tenant/tenant.js';
import { useRunColumns } from '../runs/run-columns.js';
import { ComingRuns } from './coming-runs.js';
import { Definition } from './definition.js';
import { Description } from './description.js';
import { Problems } from './problems.js';
import { useJobText } from './text.js';
import { TriggerForm } from './trigger-form.js';
import { Triggers } from './triggers.js';
import { Webhook } from './webhook.js';
import { useJob, useJobActions, useLatestRuns } from './use-job.js';

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

/** @param onTrigger null for those who may not */
function Latest({ job, onTrigger }: { job: Job; onTrigger: (() => void) | null }): ReactNode {
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
        opensRows
        error={error}
        onRetry={() => void refetch()}
        empty={
          <Empty
            icon={Activity}
            title={t('noRuns')}
            action={
              onTrigger && (
                <Button variant="default" leftSection={<Zap size={15} />} onClick={onTrigger}>
                  {t('runFirst')}
                </Button>
              )
            }
          />
        }
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

function Shown({ job }: { job: Job }): ReactNode {
  const t = useJobText();
  const { path, may } = useTenant();
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Page
      title={job.name}
      above={[{ title: t('jobs'), to: `${path}/jobs` }]}
      about={job.description === null ? undefined : <Description>{job.description}</Description>}
      actions={<Actions job={job} onTrigger={open} />}
    >
      <Problems job={job} />
      {job.paused && (
        <Alert color="yellow" variant="default" icon={<Pause size={17} />}>
          {t('paused')}
        </Alert>
      )}
      <Definition job={job} />
      {may('jobs:runs:read') && <History job={job} />}
      {may('jobs:runs:read') && <Latest job={job} onTrigger={may('jobs:jobs:trigger') ? open : null} />}
      <Triggers job={job} />
      <ComingRuns jobId={job.id} />
      {job.triggers.map(
        (trigger) =>
          trigger.type === 'webhook' && <Webhook key={trigger.path} jobId={job.id} trigger={trigger} />,
      )}
      {isOpen && <TriggerForm jobId={job.id} onClose={close} />}
    </Page>
  );
}

export default function JobPage(): ReactNode {
  const { id = '' } = useParams();
  const { data, error, isPending, refetch } = useJob(id);
  const { path } = useTenant();
  useLiveRuns();
  if (data !== undefined) return <Shown job={data} />;
  return isPending ? (
    <PageSkeleton />
  ) : (
    <Failure isWholePage list={`${path}/jobs`} error={error} onRetry={() => void refetch()} />
  );
}
