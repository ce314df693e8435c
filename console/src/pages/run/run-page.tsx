import { Alert, Anchor, Button, Grid } from '@mantine/core';
import type { RunDetails } from '@service/client';
import { Ban, CircleAlert, RotateCcw } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { Facts } from '../../parts/facts.js';
import type { Fact } from '../../parts/facts.js';
import { useFormats } from '../../parts/format.js';
import { Identifier } from '../../parts/identifier.js';
import { Instant } from '../../parts/instant.js';
import { JsonView } from '../../parts/json-view.js';
import { Card, Page, PageSkeleton } from '../../parts/page.js';
import { messageOf } from '../../parts/queries.js';
import { RunStatusBadge } from '../../parts/run-status.js';
import { Failure } from '../../parts/states.js';
import { useLiveRuns } from '../../tenant/live-runs.js';
import { useTenant } from '../../tenant/tenant.js';
import { useRunsText } from '../runs/text.js';
import { Attempts } from './attempts.js';
import { CancelRun } from './cancel-run.js';
import type { CancelScope } from './cancel-run.js';
import { Children, ParentRun } from './relatives.js';
import { RunLog } from './run-log.js';
import classes from './run-page.module.css';
import { useRunText } from './text.js';
import { hasEnded, useChildren, useRun, useRunActions } from './use-run.js';

const TICK_MS = 500;

/** Moves on while the run does. */
function useNow(isMoving: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isMoving) return undefined;
    const timer = setInterval(() => {
      setNow(Date.now());
    }, TICK_MS);
    return () => {
      clearInterval(timer);
    };
  }, [isMoving]);
  return now;
}

function Actions({ run }: { run: RunDetails }): ReactNode {
  const t = useRunText();
  const tenant = useTenant();
  const navigate = useNavigate();
  const { retry, cancel } = useRunActions(run.id);
  const [asked, setAsked] = useState<CancelScope | null>(null);
  const children = useChildren(run.id);
  const mayCancel = tenant.may('jobs:runs:cancel');
  const hasUnfinished = children.data?.items.some(({ status }) => !hasEnded(status)) === true;
  return (
    <>
      {retry.error !== null && (
        <span role="alert" className={classes.failure}>
          {messageOf(retry.error)}
        </span>
      )}
      {mayCancel && hasUnfinished && (
        <Button
          variant="default"
          leftSection={<Ban size={15} />}
          onClick={() => {
            setAsked('children');
          }}
        >
          {t('cancelAll')}
        </Button>
      )}
      {mayCancel && !hasEnded(run.status) && (
        <Button
          variant="default"
          leftSection={<Ban size={15} />}
          onClick={() => {
            setAsked('run');
          }}
        >
          {t('cancel')}
        </Button>
      )}
      {hasEnded(run.status) && tenant.may('jobs:jobs:trigger') && (
        <Button
          leftSection={<RotateCcw size={15} />}
          loading={retry.isPending}
          onClick={() => {
            retry.mutate(undefined, { onSuccess: ({ id }) => void navigate(`${tenant.path}/runs/${id}`) });
          }}
        >
          {t('retry')}
        </Button>
      )}
      <CancelRun
        scope={asked}
        cancel={cancel}
        onClose={() => {
          setAsked(null);
        }}
      />
    </>
  );
}

function useFacts(run: RunDetails, now: number): Fact[] {
  const t = useRunText();
  const runs = useRunsText();
  const formats = useFormats();
  const { path, may } = useTenant();
  const { started_at, duration_ms, retry_of, parent_run_id: parent, trigger } = run;
  const elapsed =
    duration_ms ?? (started_at === null ? null : Math.max(0, now - new Date(started_at).getTime()));
  return [
    { name: t('id'), value: <Identifier value={run.id} what={t('id')} /> },
    {
      name: t('job'),
      value: may('jobs:jobs:read') ? (
        <Anchor component={Link} to={`${path}/jobs/${encodeURIComponent(run.job_id)}`} size="sm">
          {run.job_id}
        </Anchor>
      ) : (
        run.job_id
      ),
    },
    {
      name: t('trigger'),
      value:
        typeof trigger.event === 'object'
          ? `${runs(trigger.type)}: ${trigger.event.type}`
          : runs(trigger.type),
    },
    {
      name: t('attempts'),
      value: t('attemptsOf', { attempt: run.attempt, most: run.max_attempts }),
    },
    {
      name: t('duration'),
      value: <span className="numbers">{elapsed === null ? '–' : formats.duration(elapsed)}</span>,
    },
    { name: t('created'), value: <Instant at={run.created_at} /> },
    { name: t('started'), value: <Instant at={started_at} /> },
    run.due_at === null
      ? { name: t('ended'), value: <Instant at={run.completed_at} /> }
      : { name: t('due'), value: <Instant at={run.due_at} relative /> },
    ...(parent === undefined ? [] : [{ name: t('startedBy'), value: <ParentRun id={parent} /> }]),
    ...(retry_of === undefined
      ? []
      : [
          {
            name: t('retryOf'),
            value: <Identifier value={retry_of} what={t('retryOf')} to={`${path}/runs/${retry_of}`} short />,
          },
        ]),
  ];
}

function Shown({ run }: { run: RunDetails }): ReactNode {
  const t = useRunText();
  const tenant = useTenant();
  const now = useNow(!hasEnded(run.status));
  const facts = useFacts(run, now);
  return (
    <Page
      title={t('runOf', { job: run.job_id })}
      heading={
        <span className={classes.heading}>
          {run.job_id}
          <RunStatusBadge status={run.status} />
        </span>
      }
      above={[{ title: t('runs'), to: `${tenant.path}/runs` }]}
      actions={<Actions run={run} />}
    >
      {run.error !== undefined && (
        <Alert color="red" variant="light" icon={<CircleAlert size={18} />} title={run.error.code}>
          <span dir="auto" className={classes.error}>
            {run.error.message}
          </span>
        </Alert>
      )}
      <Card>
        <Facts facts={facts} />
      </Card>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Card title={t('payload')}>
            <JsonView value={run.payload} label={t('payload')} />
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Card title={t('result')}>
            <JsonView value={run.result} label={t('result')} />
          </Card>
        </Grid.Col>
      </Grid>
      <Card title={t('attempts')}>
        <Attempts run={run} now={now} />
      </Card>
      <Children runId={run.id} />
      {tenant.may('jobs:logs:read') && <RunLog key={run.id} runId={run.id} />}
    </Page>
  );
}

export default function RunPage(): ReactNode {
  const { id = '' } = useParams();
  const { data, error, isPending, refetch } = useRun(id);
  useLiveRuns();
  if (data !== undefined) return <Shown run={data} />;
  return isPending ? <PageSkeleton /> : <Failure isWholePage error={error} onRetry={() => void refetch()} />;
}
