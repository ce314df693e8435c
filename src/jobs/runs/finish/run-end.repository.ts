import { Injectable } from '@nestjs/common';
import { firstRow, prepared, rows } from '../../../platform/database/index.js';
import type { AutoCommit, Reader, SelectText, Tx } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';
import type { EndedRun } from '../model/run.js';
import { statusAfter } from '../model/run-status.js';
import type { RunStatus } from '../model/run-status.js';
import { captureEnds } from '../model/run-events-sql.js';
import { logEnds } from '../model/run-log-lines.js';
import { recordEnded } from '../model/run-stats-sql.js';
import { canHappen, isRunning, isUnclaimed, statusSetBy } from '../model/status-sql.js';
import { addWaiting } from '../enqueue/waiting-count.repository.js';
import { fairShareOrder } from '../model/waiting-run.js';
import type { WakeableRun, RunAtFence, FreedSlot } from '../model/waiting-run.js';
import {
  endAttempts,
  endParameters,
  freeSlots,
  SECONDS,
  undefer,
  writtenColumns,
} from './finish-statement.js';
import type { AttemptEnd, WrittenEnd } from './finish-statement.js';

/** A run taken from a worker that lost it. */
export type StalledRun = EndedRun & FreedSlot & WakeableRun;

/** A run that ended before its first attempt. */
export interface ExpiredRun extends EndedRun, FreedSlot {
  readonly id: string;
}

/** What a cancellation found and did. */
export interface Cancellation extends EndedRun, FreedSlot {
  readonly id: string;
  /** Null when the run had already ended. */
  readonly from: RunStatus | null;
  readonly wasRunning: boolean;
}

const FINISH = prepared(
  'finish_attempt',
  `
  WITH ${endAttempts('')}, ${freeSlots('ended')}
  SELECT ${writtenColumns('tenant')} FROM ended JOIN tenant USING (tenant_id)`,
);

/**
 * Matches the attempt's outcome too: when somebody else ends an attempt, the outcome is `lost` or `cancelled`, which
 * no worker writes. `mayPassOn` is always true here; the search for waiting runs decides.
 */
const FIND_FINISHED: SelectText = `SELECT runs.id, runs.fence, runs.tenant_id AS "tenantId", runs.job_id AS "jobId", runs.status,
         extract(epoch FROM runs.completed_at - runs.started_at)::float8 AS seconds,
         ${fairShareOrder('runs.due_at', '0')} AS "fairShareOrder", true AS "mayPassOn"
  FROM runs JOIN run_attempts ON run_attempts.run_id = runs.id AND run_attempts.number = runs.attempt
  WHERE runs.id = $1 AND runs.fence = $2 AND runs.status = $3 AND run_attempts.outcome = $4`;

/** Ends the attempts of running runs that match `isOrphan`. With the `$1`th loss, the run fails. */
function releaseStatement(isOrphan: string): string {
  return `
    WITH orphan AS (
      SELECT id FROM runs WHERE ${canHappen(['worker lost', 'worker lost for the fifth time'], 'status')} AND ${isOrphan}
      ORDER BY id LIMIT 500 FOR UPDATE SKIP LOCKED
    ), lost AS (
      UPDATE runs SET
        status = CASE WHEN losses + 1 >= $1 THEN ${statusSetBy('worker lost for the fifth time')}
                      ELSE ${statusSetBy('worker lost')} END,
        completed_at = CASE WHEN losses + 1 >= $1 THEN now() END,
        error_code = CASE WHEN losses + 1 >= $1 THEN 'worker_lost' END,
        error_message = CASE WHEN losses + 1 >= $1 THEN 'the worker was lost ' || $1 || ' times while it executed the run' END,
        losses = losses + 1, worker_id = NULL, due_at = now()
      FROM orphan WHERE runs.id = orphan.id
      RETURNING runs.*
    ), attempt AS (
      UPDATE run_attempts SET completed_at = now(), outcome = 'lost', error = 'the worker was lost'
      FROM lost WHERE run_id = lost.id AND number = lost.attempt
      RETURNING run_attempts.*
    ), logged AS (${logEnds('lost', 'attempt')}), recorded AS (${recordEnded('lost')}),
    captured AS (${captureEnds('lost')}), ${freeSlots('lost')}
    SELECT id, fence, tenant_id AS "tenantId", job_id AS "jobId", status, ${SECONDS},
           ${fairShareOrder('due_at', '0')} AS "fairShareOrder" FROM lost`;
}

const RELEASE_OF_DEAD_WORKERS = releaseStatement(`worker_id IS NOT NULL AND NOT EXISTS (
  SELECT FROM workers
  WHERE id = runs.worker_id AND heartbeat_at > now() - make_interval(secs => $2::float8 / 1000)
)`);

const RELEASE_OF_UNTRACKED = releaseStatement(
  // One that was deferred meanwhile has no worker.
  'worker_id = $4::uuid AND (id, fence) IN (SELECT * FROM unnest($2::text[], $3::int[]))',
);

const LOCK = 'SELECT FROM runs WHERE tenant_id = $1 AND id = $2 FOR UPDATE';

/**
 * Runs as a separate statement after the lock. A claim that was under way commits first, and only a later snapshot
 * contains what it added: the attempt and possibly the job's slot count.
 */
const CANCEL = `
  WITH found AS (
    SELECT id, job_id, status FROM runs WHERE tenant_id = $1 AND id = ANY ($2)
  ), cancelled AS (
    UPDATE runs SET
      status = ${statusSetBy('cancelled')}, completed_at = now(), worker_id = NULL, throttled = false, throttled_by_job = false,
      error_code = 'cancelled', error_message = 'the run was cancelled'
    FROM found WHERE runs.id = found.id AND ${canHappen('cancelled', 'found.status')}
    RETURNING runs.*, found.status AS before, ${isRunning('found.status')} AS was_running
  ), attempt AS (
    UPDATE run_attempts SET completed_at = now(), outcome = 'cancelled', error = 'the run was cancelled'
    FROM cancelled WHERE was_running AND run_id = cancelled.id AND number = cancelled.attempt
    RETURNING run_attempts.*
  ), logged AS (${logEnds('cancelled', 'attempt')}), recorded AS (${recordEnded('cancelled')}),
  captured AS (${captureEnds('cancelled')}), stopped AS (
    SELECT * FROM cancelled WHERE was_running
  ), ${undefer('stopped')}, ${freeSlots('stopped', 'undeferred')}, counted AS (${addWaiting(
    `SELECT tenant_id, -count(*) AS runs, -sum(payload_bytes) AS payload_bytes
     FROM cancelled WHERE ${isUnclaimed('before')} GROUP BY tenant_id`,
  )})
  SELECT found.id, $1::text AS "tenantId", found.job_id AS "jobId", cancelled.before AS "from",
         coalesce(cancelled.was_running, false) AS "wasRunning",
         coalesce(cancelled.status, found.status) AS status, ${SECONDS}
  FROM found LEFT JOIN cancelled USING (id)`;

/** How many runs one statement ends that have not started in time. */
export const EXPIRED_BATCH = 1000;

/** Leaves out runs that another statement has locked. */
const EXPIRE = `
  WITH late AS (
    SELECT id FROM runs WHERE ${canHappen('not started in time', 'status')} AND start_before <= now()
    LIMIT ${EXPIRED_BATCH} FOR UPDATE SKIP LOCKED
  ), cancelled AS (
    UPDATE runs SET status = ${statusSetBy('not started in time')}, completed_at = now(), throttled = false,
      throttled_by_job = false, error_code = 'expired',
      error_message = 'the run did not start within the start_within_ms of its job'
    FROM late WHERE runs.id = late.id
    RETURNING runs.*
  ), logged AS (${logEnds('cancelled')}), recorded AS (${recordEnded('cancelled')}),
  captured AS (${captureEnds('cancelled')}), counted AS (${addWaiting(
    'SELECT tenant_id, -count(*) AS runs, -sum(payload_bytes) AS payload_bytes FROM cancelled GROUP BY tenant_id',
  )})
  SELECT id, tenant_id AS "tenantId", job_id AS "jobId", status, ${SECONDS} FROM cancelled`;

const CANCEL_WAITING = `
  WITH cancelled AS (
    UPDATE runs SET status = ${statusSetBy('job deleted')}, completed_at = now(), throttled = false,
           error_code = 'cancelled', error_message = $3
    WHERE tenant_id = $1 AND ($2::text[] IS NULL OR job_id = ANY ($2)) AND ${canHappen('job deleted', 'status')}
    RETURNING tenant_id, id, job_id, status, attempt, due_at, payload_bytes, completed_at, started_at, error_message,
              error_code, retry_of, trigger
  ), logged AS (${logEnds('cancelled')}), recorded AS (${recordEnded('cancelled')}),
  captured AS (${captureEnds('cancelled')}), counted AS (${addWaiting(
    // A run without an attempt has never been claimed.
    `SELECT tenant_id, -count(*) AS runs, -sum(payload_bytes) AS payload_bytes
     FROM cancelled WHERE attempt = 0 GROUP BY tenant_id`,
  )})
  SELECT status, ${SECONDS} FROM cancelled`;

/**
 * Ends attempts and runs: the only place that moves runs out of `running` or to a final status. Each statement frees
 * the slots in the same step that changes the status.
 */
@Injectable()
export class RunEndRepository {
  /**
   * Writes the end of an attempt, and waits for the run if another statement has locked it. Returns null, and changes
   * nothing, when the claim is no longer the current one.
   */
  async finish(handle: AutoCommit, end: AttemptEnd): Promise<WrittenEnd | null> {
    return await firstRow<WrittenEnd>(handle, FINISH, endParameters([end]));
  }

  /** Finds the end of an attempt after the reply to `finish` was lost. Returns null when the end was not written. */
  async findFinished(handle: Reader, end: AttemptEnd): Promise<WrittenEnd | null> {
    return await firstRow<WrittenEnd>(handle, FIND_FINISHED, [
      end.runId,
      end.fence,
      statusAfter(end.event),
      end.outcome,
    ]);
  }

  /**
   * Takes the runs of workers without a heartbeat for `deadAfterMs`. They are retried, or fail after `maxLosses`
   * losses.
   */
  async releaseDeadWorkers(
    handle: AutoCommit,
    deadAfterMs: number,
    maxLosses: number,
  ): Promise<StalledRun[]> {
    return await rows<StalledRun>(handle, RELEASE_OF_DEAD_WORKERS, [maxLosses, deadAfterMs]);
  }

  /** Takes runs whose worker is alive but no longer tracks them, unless it has let go of them since. */
  async releaseUntracked(
    handle: AutoCommit,
    workerId: string,
    untracked: readonly RunAtFence[],
    maxLosses: number,
  ): Promise<StalledRun[]> {
    return await rows<StalledRun>(handle, RELEASE_OF_UNTRACKED, [
      maxLosses,
      untracked.map((run) => run.id),
      untracked.map((run) => run.fence),
      workerId,
    ]);
  }

  /** Cancels a run that has not ended. Returns null when the tenant has no such run. */
  async cancel(tx: Tx, tenantId: TenantId, runId: string): Promise<Cancellation | null> {
    await rows(tx, LOCK, [tenantId, runId]);
    const [cancellation = null] = await this.cancelLocked(tx, tenantId, [runId]);
    return cancellation;
  }

  /**
   * Cancels those of these runs that have not ended. The transaction has locked all of them: it must not wait for a run
   * while it holds the slot count of the tenant, which the cancellation of a running run locks.
   */
  async cancelLocked(tx: Tx, tenantId: TenantId, runIds: readonly string[]): Promise<Cancellation[]> {
    return await rows<Cancellation>(tx, CANCEL, [tenantId, runIds]);
  }

  /** Ends runs that have not started before their `start_before`: a batch, of any tenants. */
  async expire(handle: AutoCommit): Promise<ExpiredRun[]> {
    return await rows<ExpiredRun>(handle, EXPIRE);
  }

  /**
   * Cancels the waiting runs of the tenant, or of some of its jobs. A run that is being claimed at this moment no
   * longer waits; it ends with its attempt.
   */
  async cancelWaiting(
    tx: Tx,
    tenantId: TenantId,
    jobIds: readonly string[] | null,
    reason: string,
  ): Promise<EndedRun[]> {
    return await rows<EndedRun>(tx, CANCEL_WAITING, [tenantId, jobIds, reason]);
  }
}
