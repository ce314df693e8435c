import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { arrayParameters, prepared, rows } from '../../../platform/database/index.js';
import type { AutoCommit, Tx } from '../../../platform/database/index.js';
import type { Quota } from '../../../limits/index.js';
import type { NewRun, Run } from '../model/run.js';
import { RUN_COLUMNS } from '../model/run.repository.js';
import { logAccepted } from '../model/run-log-lines.js';
import { NEW_STATUS } from '../model/status-sql.js';
import { addWaiting, waitingOf } from './waiting-count.repository.js';
import { IS_WAITING, fairShareOrder } from '../model/waiting-run.js';
import type { WakeableRun } from '../model/waiting-run.js';

/** A run that was accepted. */
export interface AcceptedRun extends Run, WakeableRun {
  readonly reached: null;
  /** True when so many runs of the tenant are ahead that this one gets its wake-up only after they have gone. */
  readonly throttled: boolean;
}

/** A run that was refused because the tenant has reached a quota of waiting runs or bytes. */
export interface RefusedRun {
  readonly id: string;
  readonly reached: Quota;
}

type PlacedRun = AcceptedRun | (RefusedRun & { readonly placedId: string });

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
 * @param whenLocked for jobs that are being deleted: empty to wait for the deletion, or `SKIP LOCKED` to leave out
 * their runs
 */
function insertStatement(whenLocked: '' | 'SKIP LOCKED'): string {
  return `
  WITH wanted AS (
    SELECT new.*, now() + make_interval(secs => new.delay_ms / 1000) AS due_at, job.handler, job.timeout_ms,
           job.retry_backoff, job.retries
    FROM unnest(${ARRIVING})
         AS new (id, tenant_id, job_id, trigger, payload, delay_ms, scheduled_for, retry_of, trace_parent,
                 payload_bytes, runs_with_it, bytes_with_it)
    JOIN jobs job ON job.tenant_id = new.tenant_id AND job.id = new.job_id
    WHERE NOT job.paused OR new.trigger ->> 'type' = 'manual' OR new.retry_of IS NOT NULL
    ORDER BY job.tenant_id, job.id, new.id
    FOR KEY SHARE OF job ${whenLocked}
  ), numbered AS (
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
      CASE WHEN $13::bigint > 0 AND waiting_runs + runs_with_it > $13 THEN 'waitingRuns'
           WHEN $14::bigint > 0 AND waiting_bytes + bytes_with_it > $14 THEN 'waitingPayloadBytes' END AS reached
    FROM of_tenant
  ), inserted AS (
    INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff,
                      max_attempts, due_at, scheduled_for, retry_of, trace_parent, payload_bytes, throttled)
    SELECT id, tenant_id, job_id, ${NEW_STATUS}, trigger, payload, handler, timeout_ms, retry_backoff,
           retries + 1, due_at, scheduled_for, retry_of, trace_parent, payload_bytes,
           delay_ms = 0 AND ahead >= ${MAX_AHEAD}
    FROM placed WHERE reached IS NULL
    RETURNING *
  ), counted AS (${addWaiting(
    'SELECT tenant_id, count(*) AS runs, sum(payload_bytes) AS payload_bytes FROM inserted GROUP BY tenant_id',
  )}), logged AS (${logAccepted('inserted')})
  SELECT ${RUN_COLUMNS}, tenant_id AS "tenantId", fence, throttled, ${fairShareOrder('due_at', 'place.ahead')} AS "fairShareOrder",
         place.reached, place.placed_id AS "placedId"
  FROM (SELECT id AS placed_id, ahead, reached FROM placed) place LEFT JOIN inserted ON inserted.id = place.placed_id`;
}

const INSERT = prepared('insert_runs', insertStatement(''));
const INSERT_UNLOCKED = prepared('insert_runs_unlocked', insertStatement('SKIP LOCKED'));

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
    return await this.add(handle, INSERT, runs);
  }

  /** Like `insert`, but does not wait for a job that is being deleted: runs of such a job are left out too. */
  async insertUnlocked(handle: AutoCommit, runs: readonly NewRun[]): Promise<EnqueueResult> {
    return await this.add(handle, INSERT_UNLOCKED, runs);
  }

  private async add(handle: AutoCommit | Tx, sql: string, runs: readonly NewRun[]): Promise<EnqueueResult> {
    const { waitingRuns, waitingPayloadBytes } = this.config.limits;
    const sums = runningSums(runs);
    const placed = await rows<PlacedRun>(handle, sql, [
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
    ]);
    return {
      accepted: placed.flatMap((run) => (run.reached === null ? [run] : [])),
      refused: placed.flatMap((run) =>
        run.reached === null ? [] : [{ id: run.placedId, reached: run.reached }],
      ),
    };
  }
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
