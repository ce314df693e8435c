import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../../platform/database/index.js';
import type { Reader, SelectText, Tx } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';
import type { WrittenEnd } from '../exchange/exchange.js';
import type { AttemptEnd } from '../model/attempt-end.js';
import type { Concurrency } from '../model/concurrency.js';
import type { RetryPolicy } from '../model/retry-backoff.js';
import type { AttemptName, RunAtFence, RunTrigger } from '../model/run.js';
import { statusAfter } from '../model/run-status.js';
import type { AttemptOutcome, RunStatus } from '../model/run-status.js';
import { canHappen, hasEnded, isLate, isRunning, isUnclaimed, OF_ATTEMPT } from '../model/status-sql.js';

/** Runs of one step of a recovery. */
const LOST_BATCH = 500;
/** Runs that one step ends because they have not started in time. */
export const LATE_BATCH = 1000;

/** A run that has not ended, or in a locked queue did not when it was read. */
export interface ActiveRun {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly status: RunStatus;
}

/** A run that is to end because of its job's concurrency, and by which rule. */
export interface DisplacedRun extends ActiveRun {
  readonly whenFull: Exclude<Concurrency['when_full'], 'queue'>;
}

/** A running run whose worker has lost it. */
export interface LostRun extends RunAtFence {
  readonly tenantId: TenantId;
  readonly losses: number;
  readonly workerId: string;
}

/** A running run whose attempt is to end as its handler says, or because it says nothing. */
export interface EndingRun extends RunAtFence {
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly attempt: number;
  readonly timeoutMs: number;
  readonly failures: number;
  readonly maxAttempts: number;
  readonly retryBackoff: RetryPolicy;
  readonly trigger: RunTrigger;
  readonly traceParent: string | null;
  /** When the attempt began. */
  readonly startedAt: Date;
}

/** How an attempt ended; its outcome is null while it has not. */
export interface AttemptState {
  readonly status: RunStatus;
  readonly outcome: AttemptOutcome | null;
}

const LOST_COLUMNS = 'id, tenant_id AS "tenantId", fence, losses, worker_id AS "workerId"';

/**
 * Of the runs that run or are blocked by the concurrency of their job, which does not let them wait: those that wait for their first attempt, if the newest
 * ones are to go; otherwise those for which newer ones with the same value leave no place.
 */
const DISPLACED: SelectText = `SELECT id, tenant_id AS "tenantId", job_id AS "jobId", status, "whenFull"
  FROM (
    SELECT run.*, job.concurrency ->> 'when_full' AS "whenFull", (job.concurrency ->> 'limit')::int AS places,
           row_number() OVER (PARTITION BY run.job_id, run.concurrency_key
             ORDER BY coalesce(run.delayed_until, run.created_at) DESC, run.id DESC) AS newest
    FROM jobs job CROSS JOIN LATERAL (
        SELECT DISTINCT concurrency_key FROM runs_active
        WHERE tenant_id = job.tenant_id AND job_id = job.id AND blocked = 'concurrency'
      ) full_key
      JOIN runs_active run ON run.tenant_id = job.tenant_id AND run.job_id = job.id
        AND run.concurrency_key = full_key.concurrency_key AND (run.blocked = 'concurrency' OR ${isRunning('run.status')})
    WHERE job.tenant_id = $1 AND (job.concurrency IS NOT NULL OR job.rate IS NOT NULL)
      AND job.concurrency ->> 'when_full' <> 'queue'
  ) run
  WHERE CASE "whenFull" WHEN 'cancel_oldest' THEN newest > places ELSE blocked = 'concurrency' AND ${isUnclaimed('status')} END
  ORDER BY id LIMIT $2`;

const TENANTS_WITH_DISPLACED: SelectText = `SELECT DISTINCT tenant_id AS "tenantId" FROM jobs
  WHERE (concurrency IS NOT NULL OR rate IS NOT NULL) AND concurrency ->> 'when_full' <> 'queue' AND EXISTS (
    SELECT FROM runs_active
    WHERE runs_active.tenant_id = jobs.tenant_id AND job_id = jobs.id AND blocked = 'concurrency'
      AND (concurrency ->> 'when_full' = 'cancel_oldest' OR ${isUnclaimed('status')})
  )`;

const OF_DEAD_WORKERS: SelectText = `SELECT ${LOST_COLUMNS} FROM runs_active
  WHERE ${isRunning('status')} AND worker_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM workers
    WHERE id = runs_active.worker_id AND heartbeat_at > now() - make_interval(secs => $1::float8 / 1000)
  )
  ORDER BY id LIMIT ${LOST_BATCH}`;

const OF_WORKER: SelectText = `SELECT ${LOST_COLUMNS} FROM runs_active
  WHERE ${isRunning('status')} AND worker_id = $1::uuid AND (id, fence) IN (SELECT * FROM unnest($2::text[], $3::int[]))
  ORDER BY id LIMIT ${LOST_BATCH}`;

/**
 * Matches the attempt's outcome too: when the recovery or a cancellation ends an attempt, the outcome is `lost` or `cancelled`.
 * A worker writes the one never, and the other with an error code of its own.
 */
const WRITTEN: SelectText = `SELECT runs.id, runs.fence, runs.tenant_id AS "tenantId", runs.job_id AS "jobId", runs.status,
         runs.due_at AS "dueAt", extract(epoch FROM runs.completed_at - runs.started_at)::float8 AS seconds
  FROM runs JOIN attempts_of_runs attempt ON attempt.run_id = runs.id AND attempt.number = runs.attempt
  WHERE runs.id = $1 AND runs.fence = $2 AND runs.status = $3 AND attempt.outcome = $4
    AND runs.error_code IS NOT DISTINCT FROM $5`;

const ENDING_COLUMNS = `
  runs.id, runs.tenant_id AS "tenantId", runs.job_id AS "jobId", runs.fence, runs.attempt, runs.timeout_ms AS "timeoutMs",
  runs.failures, runs.max_attempts AS "maxAttempts", runs.retry_backoff AS "retryBackoff", runs.trigger,
  runs.trace_parent AS "traceParent", runs.attempt_started_at AS "startedAt"`;

const ENDING: SelectText = `SELECT ${ENDING_COLUMNS} FROM runs_active runs
  WHERE ${OF_ATTEMPT}`;

/** A sign of life that comes before the lock makes the row one that no longer matches. */
const EXPIRED: SelectText = `SELECT ${ENDING_COLUMNS} FROM deferred_attempts JOIN runs_active runs ON runs.id = run_id
  WHERE deferred_attempts.tenant_id = $1 AND expires_at < now() AND runs.fence = deferred_attempts.fence
    AND ${isRunning('runs.status')}
  LIMIT $2 FOR UPDATE OF deferred_attempts`;

const STATE: SelectText = `SELECT runs.status, attempt.outcome
  FROM runs LEFT JOIN attempts_of_runs attempt ON attempt.run_id = runs.id AND attempt.number = $2
  WHERE runs.id = $1 AND runs.tenant_id = $3`;

const ACTIVE_COLUMNS = 'id, tenant_id AS "tenantId", job_id AS "jobId", status';

/** Runs that are to end. */
@Injectable()
export class ActiveRunRepository {
  /** The runs of workers without a heartbeat for `deadAfterMs`. */
  async ofDeadWorkers(reader: Reader, deadAfterMs: number): Promise<LostRun[]> {
    return await rows<LostRun>(reader, OF_DEAD_WORKERS, [deadAfterMs]);
  }

  /** Those of these runs that the worker still has. */
  async ofWorker(reader: Reader, workerId: string, runs: readonly RunAtFence[]): Promise<LostRun[]> {
    const [ids, fences] = [runs.map(({ id }) => id), runs.map(({ fence }) => fence)];
    return await rows<LostRun>(reader, OF_WORKER, [workerId, ids, fences]);
  }

  /** Finds the end of an attempt after the reply that wrote it was lost. Returns null when it was not written. */
  async findWritten(reader: Reader, end: AttemptEnd): Promise<WrittenEnd | null> {
    const parameters = [end.runId, end.fence, statusAfter(end.event), end.outcome, end.errorCode];
    return await firstRow<WrittenEnd>(reader, WRITTEN, parameters);
  }

  /** Runs that have not started before their `start_before`, and never will: at most `LATE_BATCH`, of any tenants. */
  async late(reader: Reader): Promise<ActiveRun[]> {
    return await rows<ActiveRun>(
      reader,
      `SELECT ${ACTIVE_COLUMNS} FROM runs_active
       WHERE ${isLate()} LIMIT ${LATE_BATCH}`,
    );
  }

  /** The run of an attempt that goes on, deferred or still being called. Returns null when it has ended. */
  async ending(reader: Reader, { runId, attempt, tenantId }: AttemptName): Promise<EndingRun | null> {
    return await firstRow<EndingRun>(reader, ENDING, [runId, attempt, tenantId]);
  }

  /** The tenants of deferred attempts without a sign of life within their time limit. */
  async tenantsWithExpired(reader: Reader): Promise<TenantId[]> {
    const found = await rows<{ tenantId: TenantId }>(
      reader,
      'SELECT DISTINCT tenant_id AS "tenantId" FROM deferred_attempts WHERE expires_at < now()',
    );
    return found.map(({ tenantId }) => tenantId);
  }

  /** Such attempts of a tenant whose queue is locked, at most `limit`. Keeps heartbeats waiting. */
  async expired(tx: Tx, tenantId: TenantId, limit: number): Promise<EndingRun[]> {
    return await rows<EndingRun>(tx, EXPIRED, [tenantId, limit]);
  }

  /** Returns null when the tenant has no such run. */
  async stateOf(reader: Reader, { runId, attempt, tenantId }: AttemptName): Promise<AttemptState | null> {
    return await firstRow<AttemptState>(reader, STATE, [runId, attempt, tenantId]);
  }

  /** Runs, ended or not, without those that the tenant does not have. */
  async findAll(tx: Tx, tenantId: TenantId, runIds: readonly string[]): Promise<ActiveRun[]> {
    return await rows<ActiveRun>(
      tx,
      `SELECT ${ACTIVE_COLUMNS} FROM runs WHERE tenant_id = $1 AND id = ANY ($2)`,
      [tenantId, runIds],
    );
  }

  async displaced(tx: Tx, tenantId: TenantId, limit: number): Promise<DisplacedRun[]> {
    return await rows<DisplacedRun>(tx, DISPLACED, [tenantId, limit]);
  }

  /** The tenants with blocked runs that are not just to wait. */
  async tenantsWithDisplaced(reader: Reader): Promise<TenantId[]> {
    const found = await rows<{ tenantId: TenantId }>(reader, TENANTS_WITH_DISPLACED);
    return found.map(({ tenantId }) => tenantId);
  }

  /** The waiting runs of jobs that were deleted. @param jobIds null for all jobs of the tenant */
  async waitingOf(tx: Tx, tenantId: TenantId, jobIds: readonly string[] | null): Promise<ActiveRun[]> {
    return await rows<ActiveRun>(
      tx,
      `SELECT ${ACTIVE_COLUMNS} FROM runs_active
       WHERE tenant_id = $1 AND ($2::text[] IS NULL OR job_id = ANY ($2)) AND ${canHappen('job deleted', 'status')}`,
      [tenantId, jobIds],
    );
  }

  /**
   * A run and its descendants that have not ended, in a locked queue. Each level is looked up by the index of children, run
   * by run; a run that has ended may have children that have not. The run itself comes also when it has ended.
   *
   * @returns `read`: how many runs there are, counted up to `mostRead`
   */
  async tree(
    tx: Tx,
    tenantId: TenantId,
    runId: string,
    mostRead: number,
  ): Promise<{ read: number; runs: readonly ActiveRun[] }> {
    const found = await rows<ActiveRun & { read: number }>(
      tx,
      `WITH RECURSIVE tree AS (
         SELECT id, tenant_id, job_id, status FROM runs WHERE tenant_id = $1 AND id = $2
         UNION ALL
         SELECT child.id, child.tenant_id, child.job_id, child.status FROM tree CROSS JOIN LATERAL (
           SELECT * FROM runs
           WHERE runs.tenant_id = $1 AND runs.trigger ->> 'run_id' = tree.id AND runs.trigger ->> 'run_id' IS NOT NULL
           OFFSET 0
         ) child
       ), part AS MATERIALIZED (
         SELECT * FROM tree LIMIT $3
       )
       SELECT ${ACTIVE_COLUMNS}, (SELECT count(*)::int FROM part) AS read
       FROM part WHERE id = $2 OR NOT ${hasEnded('status')}`,
      [tenantId, runId, mostRead],
    );
    return { read: found[0]?.read ?? 0, runs: found };
  }
}
