import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { arrayParameters, prepared, rows } from '../../../platform/database/index.js';
import type { AutoCommit, Tx } from '../../../platform/database/index.js';
import type { Quota } from '../../../limits/index.js';
import { claimOfNew, DECIDE, NONE_FREED } from '../model/claim-statement.js';
import type { ClaimedRun, NewRun, Run } from '../model/run.js';
import { RUN_COLUMNS } from '../model/run.repository.js';
import { logAccepted } from '../model/run-log-lines.js';
import { FIRST_STATUS } from '../model/run-status.js';
import { NEW_STATUS } from '../model/status-sql.js';
import { slotsOfTenant } from '../model/slots-of-tenant.js';
import { addWaiting, waitingOf } from './waiting-count.repository.js';
import { IS_WAITING, fairShareOrder } from '../model/waiting-run.js';
import type { WakeableRun } from '../model/waiting-run.js';

/** A run that was accepted, as it was then. */
export interface AcceptedRun extends Run, WakeableRun {
  readonly reached: null;
  /** True when so many runs of the tenant are ahead that this one gets its wake-up only after they have gone. */
  readonly throttled: boolean;
}

/** A run to be enqueued, and whether this process has reserved a slot for it. */
export interface ArrivingRun {
  readonly run: NewRun;
  readonly hasSlot: boolean;
}

/** The result for one run. `started` is null unless the run was claimed for the reserved slot. */
export interface Arrival {
  readonly accepted: AcceptedRun;
  readonly started: ClaimedRun | null;
  /**
   * Whether the run was throttled although the tenant had a free slot: others were woken for it, but they may have ended
   * since the statement's snapshot.
   */
  readonly mayBeFree: boolean;
}

/** A run that was refused because the tenant has reached a quota of waiting runs or bytes. */
export interface RefusedRun {
  readonly id: string;
  readonly reached: Quota;
}

type PlacedRun = (AcceptedRun | RefusedRun) & { readonly placedId: string };

type ArrivedRow = PlacedRun &
  Pick<ClaimedRun, 'handler' | 'timeoutMs' | 'retryBackoff' | 'traceParent'> & {
    readonly isStarted: boolean;
    readonly mayBeFree: boolean;
  };

/** The result for a set of runs. A run whose job does not accept it is in neither list. */
export interface EnqueueResult {
  readonly accepted: AcceptedRun[];
  readonly refused: RefusedRun[];
}

/**
 * How many runs of a tenant may be in the workers' queue at once. A longer queue makes each addition to it slower.
 */
const MAX_AHEAD = 200;
/** For a delayed run: runs of its tenant that are due up to this many seconds before it count as ahead of it. */
const QUEUE_SECS = 60;

/** How long accepting runs waits for the slot counts of their tenants, ms. Claims and ends hold them for one statement. */
const LOCK_LIMIT_MS = 1000;

/** In SQL: how many waiting runs of the tenant meet a condition, counted only up to the number that matters. */
function countWaiting(tenantId: string, condition: string): string {
  return `(SELECT count(*) FROM (
    SELECT FROM runs WHERE runs.tenant_id = ${tenantId} AND ${IS_WAITING} AND NOT runs.throttled_by_job AND ${condition}
    LIMIT ${MAX_AHEAD}) waiting)`;
}

const ARRIVING = arrayParameters(
  1,
  ...[
    'text',
    'uuid',
    'text',
    'jsonb',
    'json',
    'float8',
    'timestamptz',
    'text',
    'text',
    'int',
    'int',
    'bigint',
  ],
);

/**
 * In SQL: `wanted`, the arriving runs that their jobs accept, with what they need from the job.
 *
 * @param whenLocked for jobs that are being deleted: empty to wait for the deletion, or `SKIP LOCKED` to leave out
 * their runs
 */
function wanted(whenLocked: '' | 'SKIP LOCKED'): string {
  return `wanted AS (
    SELECT new.*, now() + make_interval(secs => new.delay_ms / 1000) AS due_at, job.handler, job.timeout_ms,
           job.retry_backoff, job.retries
    FROM unnest(${ARRIVING})
         AS new (id, tenant_id, job_id, trigger, payload, delay_ms, scheduled_for, retry_of, trace_parent,
                 payload_bytes, runs_with_it, bytes_with_it)
    JOIN jobs job ON job.tenant_id = new.tenant_id AND job.id = new.job_id
    WHERE NOT job.paused OR new.trigger ->> 'type' = 'manual' OR new.retry_of IS NOT NULL
    ORDER BY job.tenant_id, job.id, new.id
    FOR KEY SHARE OF job ${whenLocked}
  )`;
}

/** In SQL: the quota of waiting runs that a run of `wanted` reaches, null for none, given the `waiting` of its tenant. */
const REACHED = `
  CASE WHEN $13::bigint > 0 AND waiting_runs + runs_with_it > $13 THEN 'waitingRuns'
       WHEN $14::bigint > 0 AND waiting_bytes + bytes_with_it > $14 THEN 'waitingPayloadBytes' END`;

/** In SQL: the columns of `runs` that a run is accepted with, beside those that depend on whether it starts. */
const NEW_COLUMNS = `
  id, tenant_id, job_id, trigger, payload, handler, timeout_ms, retry_backoff, due_at, scheduled_for, retry_of,
  trace_parent, payload_bytes`;

const PLACED_COLUMNS = `${RUN_COLUMNS}, tenant_id AS "tenantId", fence, throttled,
         ${fairShareOrder('due_at', 'place.ahead')} AS "fairShareOrder", place.reached, place.placed_id AS "placedId"`;

const INSERT = prepared(
  'insert_runs',
  `
  WITH ${wanted('')}, numbered AS (
    SELECT wanted.*, row_number() OVER (PARTITION BY wanted.tenant_id ORDER BY wanted.id) AS nth FROM wanted
  ), of_tenant AS (
    SELECT numbered.*, max(tenant.busy) OVER same_tenant AS busy, max(tenant.runs) OVER same_tenant AS waiting_runs,
      max(tenant.bytes) OVER same_tenant AS waiting_bytes
    FROM numbered LEFT JOIN LATERAL (
      SELECT ${countWaiting('numbered.tenant_id', 'runs.due_at <= now()')} + coalesce(
        (SELECT running FROM tenant_concurrency WHERE tenant_concurrency.tenant_id = numbered.tenant_id), 0) AS busy,
        waiting.runs, waiting.bytes
      FROM (${waitingOf('numbered.tenant_id')}) waiting
      WHERE numbered.nth = 1 OFFSET 0
    ) tenant ON true
    WINDOW same_tenant AS (PARTITION BY numbered.tenant_id)
  ), placed AS (
    SELECT of_tenant.*, CASE WHEN of_tenant.delay_ms > 0
        THEN count(*) OVER (PARTITION BY of_tenant.tenant_id, of_tenant.delay_ms > 0 ORDER BY of_tenant.due_at
                            RANGE BETWEEN '${QUEUE_SECS} s' PRECEDING AND CURRENT ROW) - 1 + ${countWaiting(
                              'of_tenant.tenant_id',
                              `runs.due_at BETWEEN of_tenant.due_at - make_interval(secs => ${QUEUE_SECS}) AND of_tenant.due_at`,
                            )}
        ELSE row_number() OVER (PARTITION BY of_tenant.tenant_id, of_tenant.delay_ms > 0 ORDER BY of_tenant.id) - 1
             + busy END AS ahead,
      ${REACHED} AS reached
    FROM of_tenant
  ), inserted AS (
    INSERT INTO runs (${NEW_COLUMNS}, status, max_attempts, throttled)
    SELECT ${NEW_COLUMNS}, ${NEW_STATUS}, retries + 1, delay_ms = 0 AND ahead >= ${MAX_AHEAD}
    FROM placed WHERE reached IS NULL
    RETURNING *
  ), counted AS (${addWaiting(
    'SELECT tenant_id, count(*) AS runs, sum(payload_bytes) AS payload_bytes FROM inserted GROUP BY tenant_id',
  )}), logged AS (${logAccepted('inserted')})
  SELECT ${PLACED_COLUMNS}
  FROM (SELECT id AS placed_id, ahead, reached FROM placed) place LEFT JOIN inserted ON inserted.id = place.placed_id`,
);

/**
 * Like `INSERT`, and claims the runs for which this process has reserved a slot, if their tenant and job have a free
 * one and no run of the tenant is due before them. It locks the slot counts of the tenants. So it knows how many runs
 * of a tenant are under way, running or woken: each of them passes on its slot when it ends, so the runs that exceed
 * the tenant's slots need no wake-up.
 *
 * It gives up on a lock after a moment, because the runs of other tenants are in the same statement.
 */
const ACCEPT = prepared(
  'accept_runs',
  `
  WITH ${wanted('SKIP LOCKED')}, ${NONE_FREED}, tenant AS (
    SELECT tenant_id, running, $17 - running AS free, 0 AS freed FROM tenant_concurrency
    WHERE (SELECT set_config('lock_timeout', '${LOCK_LIMIT_MS}', true)) IS NOT NULL
      AND tenant_id IN (SELECT tenant_id FROM wanted)
    ORDER BY tenant_id FOR UPDATE
  ), busy AS (
    SELECT tenant.tenant_id, tenant.running, waiting.runs AS waiting_runs, waiting.bytes AS waiting_bytes,
      tenant.running + (SELECT count(*) FROM runs WHERE runs.tenant_id = tenant.tenant_id AND ${IS_WAITING}
                          AND NOT runs.throttled AND runs.due_at <= now()) AS under_way,
      EXISTS (SELECT FROM runs WHERE runs.tenant_id = tenant.tenant_id AND ${IS_WAITING}
                AND NOT runs.throttled_by_job AND runs.due_at <= now()) AS has_waiting
    FROM tenant CROSS JOIN LATERAL (${waitingOf('tenant.tenant_id')}) waiting
  ), placed AS (
    SELECT wanted.*, has_waiting, coalesce(under_way, 0) + row_number() OVER (
             PARTITION BY tenant_id, delay_ms > 0 ORDER BY id
           ) - 1 AS ahead, ${REACHED} AS reached
    FROM wanted LEFT JOIN busy USING (tenant_id)
  ), candidate AS (
    SELECT id, tenant_id, job_id, due_at, ${NEW_STATUS} AS status, payload_bytes
    FROM placed JOIN (SELECT unnest(${arrayParameters(15, 'text')}) AS id) reserved USING (id)
    WHERE delay_ms = 0 AND reached IS NULL AND NOT has_waiting
      AND NOT EXISTS (SELECT FROM runs WHERE runs.tenant_id = placed.tenant_id AND runs.job_id = placed.job_id
                        AND runs.throttled AND runs.throttled_by_job)
  ), ${DECIDE}, inserted AS (
    INSERT INTO runs (${NEW_COLUMNS}, max_attempts, status, worker_id, fence, attempt, started_at, throttled, throttled_by_job)
    SELECT ${qualified(NEW_COLUMNS, 'placed')}, retries + 1, ${claimOfNew('decision.enters', '$16')},
           delay_ms = 0 AND enters IS NOT TRUE AND (ahead >= least(${slotsOfTenant('$17')}, ${MAX_AHEAD}) OR is_of_full_job),
           delay_ms = 0 AND enters IS NOT TRUE AND is_of_full_job
    FROM placed LEFT JOIN decision ON decision.id = placed.id
      CROSS JOIN LATERAL (SELECT coalesce(decision.tenant_has_slot AND NOT decision.enters, false) AS is_of_full_job) job
    WHERE reached IS NULL
    RETURNING *
  ), begun AS (
    SELECT * FROM inserted WHERE worker_id IS NOT NULL
  ), slot AS (
    UPDATE tenant_concurrency SET
      running = running + arrived.begun,
      throttled_at = CASE WHEN arrived.any_throttled THEN clock_timestamp() ELSE throttled_at END
    FROM (
      SELECT tenant_id, count(worker_id)::int AS begun, bool_or(throttled) AS any_throttled
      FROM inserted GROUP BY tenant_id
    ) arrived
    WHERE tenant_concurrency.tenant_id = arrived.tenant_id AND (arrived.begun > 0 OR arrived.any_throttled)
  ), new_attempt AS (
    INSERT INTO run_attempts (run_id, number, started_at) SELECT id, attempt, started_at FROM begun
  ), counted AS (${addWaiting(
    `SELECT tenant_id, count(*) AS runs, sum(payload_bytes) AS payload_bytes FROM inserted
     WHERE worker_id IS NULL GROUP BY tenant_id`,
  )}), logged AS (${logAccepted('inserted', 'begun')})
  SELECT ${PLACED_COLUMNS}, throttled AND now_busy.running < ${slotsOfTenant('$17')} AS "mayBeFree",
         worker_id IS NOT NULL AS "isStarted", handler, timeout_ms AS "timeoutMs",
         retry_backoff AS "retryBackoff", trace_parent AS "traceParent"
  FROM (SELECT id AS placed_id, tenant_id AS of_tenant, ahead, reached FROM placed) place
    LEFT JOIN inserted ON inserted.id = place.placed_id
    LEFT JOIN (SELECT tenant_id AS of_tenant, busy.running + coalesce(sum(entering.count), 0) AS running
               FROM busy LEFT JOIN entering USING (tenant_id) GROUP BY tenant_id, busy.running) now_busy USING (of_tenant)`,
);

function qualified(columns: string, table: string): string {
  return columns
    .split(',')
    .map((column) => `${table}.${column.trim()}`)
    .join(', ');
}

/** The only place that creates runs, as `queued`. */
@Injectable()
export class EnqueueRepository {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /**
   * Adds runs, each with what it needs from its job, in the given order and as far as the tenants' quotas allow. Runs
   * that their job does not accept are left out. The statement locks each job, so that no job is deleted between the
   * check and the insert; a deletion that waits for the lock then sees the run and cancels it.
   *
   * Runs that are accepted concurrently elsewhere are not counted yet, so a quota may be exceeded by that many.
   */
  async insert(handle: AutoCommit | Tx, runs: readonly NewRun[]): Promise<EnqueueResult> {
    const placed = await rows<PlacedRun>(handle, INSERT, this.parameters(runs));
    return {
      accepted: placed.flatMap((run) => (run.reached === null ? [run] : [])),
      refused: placed.flatMap((run) =>
        run.reached === null ? [] : [{ id: run.placedId, reached: run.reached }],
      ),
    };
  }

  /**
   * Like `insert`, but does not wait for a job that is being deleted: runs of such a job are left out too. Claims the
   * runs with a reserved slot, as far as they may begin at once. Fails with a lock timeout if another statement holds the
   * slot count of a tenant for too long.
   *
   * @param workerId the worker of this process, or null
   * @param cap how many runs of a tenant may run at the same time
   * @returns for each run, the result; null when it was left out
   */
  async accept(
    handle: AutoCommit,
    arriving: readonly ArrivingRun[],
    workerId: string | null,
    cap: number,
  ): Promise<(Arrival | RefusedRun | null)[]> {
    // The worker may have begun to shut down since it reserved the slots.
    const reserved =
      workerId === null ? [] : arriving.filter(({ hasSlot }) => hasSlot).map(({ run }) => run.id);
    const placed = await rows<ArrivedRow>(handle, ACCEPT, [
      ...this.parameters(arriving.map(({ run }) => run)),
      reserved,
      workerId,
      cap,
    ]);
    const byId = new Map(placed.map((row) => [row.placedId, row]));
    return arriving.map(({ run }) => {
      const row = byId.get(run.id);
      if (row === undefined) return null;
      return row.reached === null ? arrivalOf(row, run) : { id: row.placedId, reached: row.reached };
    });
  }

  private parameters(runs: readonly NewRun[]): unknown[] {
    const { waitingRuns, waitingPayloadBytes } = this.config.limits;
    const sums = runningSums(runs);
    return [
      runs.map((run) => run.id),
      runs.map((run) => run.tenantId),
      runs.map((run) => run.jobId),
      runs.map((run) => JSON.stringify(run.trigger)),
      runs.map((run) => run.payload),
      runs.map((run) => run.delayMs),
      runs.map((run) => run.scheduledFor),
      runs.map((run) => run.retryOf),
      runs.map((run) => run.traceParent),
      sums.map((sum) => sum.ownBytes),
      sums.map((sum) => sum.runs),
      sums.map((sum) => sum.bytes),
      waitingRuns,
      waitingPayloadBytes,
    ];
  }
}

/** The answer to the caller shows the run as it was accepted, even if its first attempt begins in the same statement. */
function arrivalOf(row: ArrivedRow & AcceptedRun, run: NewRun): Arrival {
  const { isStarted, mayBeFree, handler, timeoutMs, retryBackoff, traceParent, ...stored } = row;
  if (!isStarted) return { accepted: stored, started: null, mayBeFree };
  const { id, tenantId, jobId, maxAttempts, fence, attempt } = stored;
  const { trigger, payload, scheduledFor } = run;
  const claim = {
    id,
    tenantId: run.tenantId,
    jobId,
    trigger,
    payload,
    attempt,
    failures: 0,
    maxAttempts,
    fence,
  };
  return {
    accepted: {
      ...stored,
      tenantId,
      status: FIRST_STATUS,
      attempt: 0,
      startedAt: null,
      dueAt: stored.createdAt,
    },
    mayBeFree,
    started: { ...claim, handler, timeoutMs, retryBackoff, scheduledFor, traceParent },
  };
}

/**
 * For each run, the number of runs and payload bytes of its tenant up to and including it. Saves SQL window
 * functions.
 */
function runningSums(runs: readonly NewRun[]): { ownBytes: number; runs: number; bytes: number }[] {
  const last = new Map<string, { runs: number; bytes: number }>();
  return runs.map(({ tenantId, payload }) => {
    const before = last.get(tenantId) ?? { runs: 0, bytes: 0 };
    const ownBytes = Buffer.byteLength(payload);
    const sum = { ownBytes, runs: before.runs + 1, bytes: before.bytes + ownBytes };
    last.set(tenantId, sum);
    return sum;
  });
}
