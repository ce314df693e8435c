import { Alert, Anchor, Button } from '@mantine/core';
import type { RunDetails } from '@service/client';
import { Ban, CircleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { Facts } from '../../parts/facts.js';
import type { Fact } from '../../parts/facts.js';
import { useFormats } from '../../parts/format.js';
import { Identifier } from '../../parts/identifier.js';
import { Instant } from '../../parts/instant.js';
import { JsonView } from '../../parts/json-view.js';
import { LongText } from '../../parts/long-text.js';
import { Card, Page, PageSkeleton } from '../../parts/page.js';
import { messageOf } from '../../parts/queries.js';
import { RunStatusBadge } from '../../parts/run-status.js';
import { Failure } from '../../parts/states.js';
import { useJobName } from '../../tenant/job-names.js';
import { useLiveRuns } from '../../tenant/live-runs.js';
import { useTenant } from '../../tenant/tenant.js';
import { useRunsText } from '../runs/text.js';
import { repeaterOf, useActor } from './actor.js';
import { Attempts } from './attempts.js';
import { CancelRun } from './cancel-run.js';
import type { CancelScope } from './cancel-run.js';
import { Children, ParentRun, Retries } from './relatives.js';
import { RetryRun } from './retry-run.js';
import { RunLog } from './run-log.js';
import classes from './run-page.module.css';
import { Steps } from './steps.js';
import { useRunText } from './text.js';
import { hasEnded, useChildren, useRetries, useRun, useRunActions } from './use-run.js';

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
      {hasEnded(run.status) && tenant.may('jobs:jobs:trigger') && <RetryRun run={run} retry={retry} />}
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

/** How long its attempts took, in milliseconds, without the waits between them. */
function workOf({ attempts }: RunDetails, now: number): number {
  return attempts.reduce((sum, { started_at: from, completed_at: until }) => {
    const end = until === null ? now : new Date(until).getTime();
    return sum + Math.max(0, end - new Date(from).getTime());
  }, 0);
}

function useFacts(run: RunDetails, now: number): Fact[] {
  const t = useRunText();
  const runs = useRunsText();
  const formats = useFormats();
  const { path, may } = useTenant();
  const { started_at, duration_ms, retry_of, parent_run_id: parent, trigger } = run;
  const actor = useActor(trigger);
  const repeater = useActor(retry_of === undefined ? {} : repeaterOf(run));
  const { data: retries = [] } = useRetries(run);
  const repeatingRun = retry_of === undefined ? undefined : /^run:(.+)/.exec(run.actor)?.[1];
  const elapsed =
    duration_ms ?? (started_at === null ? null : Math.max(0, now - new Date(started_at).getTime()));
  return [
    { name: t('id'), value: <Identifier value={run.id} what={t('id')} /> },
    {
      name: t('job'),
      value: may('jobs:jobs:read') ? (
        <Anchor
          component={Link}
          to={`${path}/jobs/${encodeURIComponent(run.job_id)}`}
          size="sm"
          className="two-lines"
          title={run.job_id}
        >
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
    ...(actor === null ? [] : [{ name: t('by'), value: actor }]),
    {
      name: t('attempts'),
      value: t('attemptsOf', { attempt: run.attempt, most: run.max_attempts }),
    },
    {
      name: t('duration'),
      value: (
        <span className="numbers">
          {elapsed === null ? '–' : formats.duration(elapsed)}
          {run.attempts.length > 1 && ` (${t('atWork', { time: formats.duration(workOf(run, now)) })})`}
        </span>
      ),
    },
    { name: t('created'), value: <Instant at={run.created_at} withSeconds /> },
    { name: t('started'), value: <Instant at={started_at} withSeconds /> },
    run.due_at === null
      ? { name: t('ended'), value: <Instant at={run.completed_at} withSeconds /> }
      : {
          name: t('due'),
          value:
            new Date(run.due_at).getTime() <= now ? (
              t('waitsForWorker')
            ) : (
              <Instant at={run.due_at} relative />
            ),
        },
    ...(parent === undefined ? [] : [{ name: t('startedBy'), value: <ParentRun id={parent} /> }]),
    ...(retry_of === undefined
      ? []
      : [
          {
            name: t('retryOf'),
            value: <Identifier value={retry_of} what={t('retryOf')} to={`${path}/runs/${retry_of}`} short />,
          },
        ]),
    ...(repeater === null ? [] : [{ name: t('retriedBy'), value: repeater }]),
    ...(repeatingRun === undefined ? [] : [{ name: t('retriedBy'), value: <ParentRun id={repeatingRun} /> }]),
    ...(retries.length === 0 ? [] : [{ name: t('repeatedAs'), value: <Retries runs={retries} /> }]),
  ];
}

/** What went wrong, in words before its code. */
function ErrorTitle({ run: { status, attempt }, code }: { run: RunDetails; code: string }): ReactNode {
  const t = useRunText();
  const said = hasEnded(status)
    ? t(`ended_${status === 'cancelled' ? 'cancelled' : 'failed'}`)
    : t('attemptFailed', { number: attempt });
  return (
    <>
      {said} <code className={classes.code}>{code}</code>
    </>
  );
}

function Shown({ run }: { run: RunDetails }): ReactNode {
  const t = useRunText();
  const tenant = useTenant();
  const now = useNow(!hasEnded(run.status));
  const facts = useFacts(run, now);
  const jobName = useJobName(run.job_id);
  return (
    <Page
      title={t('runOf', { job: run.job_id })}
      heading={
        <span className={classes.heading}>
          <span className="two-lines" dir="auto" title={run.job_id}>
            {jobName}
          </span>
          {jobName !== run.job_id && (
            <code className={classes.jobId} dir="auto">
              {run.job_id}
            </code>
          )}
          <RunStatusBadge status={run.status} />
        </span>
      }
      above={[{ title: t('runs'), to: `${tenant.path}/runs` }]}
      actions={<Actions run={run} />}
    >
      {run.error !== undefined && (
        <Alert
          color={hasEnded(run.status) ? 'red' : 'yellow'}
          variant="light"
          icon={<CircleAlert size={18} />}
          title={<ErrorTitle run={run} code={run.error.code} />}
        >
          <LongText>{run.error.message}</LongText>
        </Alert>
      )}
      <Card>
        <Facts facts={facts} />
      </Card>
      <div className={classes.data}>
        <Card title={t('payload')}>
          <JsonView value={run.payload} label={t('payload')} />
        </Card>
        <Card title={t('result')}>
          {run.result === null ? (
            <p className={classes.none}>{t(`result_${run.status}`)}</p>
          ) : (
            <JsonView value={run.result} label={t('result')} />
          )}
        </Card>
      </div>
      <Card title={t('attempts')}>
        <Attempts run={run} now={now} />
      </Card>
      <Steps runId={run.id} />
      <Children runId={run.id} />
      {tenant.may('jobs:logs:read') && <RunLog key={run.id} runId={run.id} isLive={!hasEnded(run.status)} />}
    </Page>
  );
}

export default function RunPage(): ReactNode {
  const { id = '' } = useParams();
  const { data, error, isPending, refetch } = useRun(id);
  const { path } = useTenant();
  useLiveRuns();
  if (data !== undefined) return <Shown run={data} />;
  return isPending ? (
    <PageSkeleton />
  ) : (
    <Failure isWholePage list={`${path}/runs`} error={error} onRetry={() => void refetch()} />
  );
}
