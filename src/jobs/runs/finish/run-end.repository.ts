import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../../platform/database/index.js';
import type { AutoCommit, Reader, Tx } from '../../../platform/database/index.js';
import type { TenantId } from '../../../platform/http/index.js';
import type { EndedRun } from '../model/run.js';
import type { AttemptOutcome, RunErrorCode, RunStatus } from '../model/run-status.js';
import { addWaiting } from '../enqueue/waiting-count.repository.js';
import { IS_WAITING, fairShareOrder } from '../model/waiting-run.js';
import type { WakeableRun, RunAtFence, FreedSlot } from '../model/waiting-run.js';

/** The end of one attempt, as it is written. */
export interface AttemptEnd {
  readonly runId: string;
  readonly fence: number;
  readonly status: RunStatus;
  readonly outcome: AttemptOutcome;
  /** False for an attempt that was not the handler's failing: interrupted by our own shutdown. */
  readonly countsAsFailure: boolean;
  readonly statusCode: number | null;
  readonly errorCode: RunErrorCode | null;
  readonly errorMessage: string | null;
  /** JSON text, or null. */
  readonly result: string | null;
  /** For `retrying`: how long to wait. */
  readonly delayMs: number;
}

export interface WrittenEnd extends EndedRun, FreedSlot, WakeableRun {
  /** Whether runs may be waiting for the capacity that this one leaves. */
  readonly mayPassOn: boolean;
}

/** A run taken from its worker. */
export type StalledRun = EndedRun & FreedSlot & WakeableRun;

/** What a cancellation found, and came to. */
export interface Cancellation extends EndedRun, FreedSlot {
  /** Null when the run had ended before. */
  readonly from: 'queued' | 'retrying' | 'running' | null;
}

const SECONDS = 'extract(epoch FROM completed_at - started_at)::float8 AS seconds';

/** So long before a run is due those of its tenant that are due count as before it; the work of earlier ones is done. */
const QUEUE_SECS = 60;
const MAX_AHEAD = 200;

/** How long a statement may have waited for a capacity's lock, with runs throttled meanwhile that its snapshot lacks. */
const SNAPSHOT_AGE_SECS = 10;

/**
 * In SQL: `tenant` and `job`, which leave the slots of these runs, and are not to be left out by what follows. Tenants
 * are locked in one order, or two such statements would wait for each other, and jobs after their tenants.
 */
function leaveRooms(runs: string): string {
  return `locked AS (
      SELECT tenant_concurrency.tenant_id, freed.count
      FROM tenant_concurrency JOIN (SELECT tenant_id, count(*)::int AS count FROM ${runs} GROUP BY tenant_id) freed
        USING (tenant_id)
      ORDER BY tenant_concurrency.tenant_id FOR UPDATE OF tenant_concurrency
    ), tenant AS (
      UPDATE tenant_concurrency SET running = running - locked.count FROM locked
      WHERE tenant_concurrency.tenant_id = locked.tenant_id
      RETURNING tenant_concurrency.tenant_id, running, throttled_at
    ), job AS (
      UPDATE job_concurrency SET running = job_concurrency.running - freed.count
      FROM (SELECT tenant_id, job_id, count(*)::int AS count FROM ${runs} GROUP BY tenant_id, job_id) freed
        JOIN tenant USING (tenant_id)
      WHERE job_concurrency.tenant_id = freed.tenant_id AND job_concurrency.job_id = freed.job_id
    )`;
}

/** @param whenHeld of runs that another statement holds: empty to wait for it, or `SKIP LOCKED` to leave them out */
function finishStatement(whenHeld: '' | 'SKIP LOCKED'): string {
  return `
  WITH given AS (
    SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::int[], $6::int[], $7::text[], $8::text[],
                         $9::json[], $10::float8[])
      AS given (id, fence, status, outcome, failures, status_code, error_code, error_message, result, delay_ms)
  ), held AS (
    SELECT given.* FROM given JOIN runs ON runs.id = given.id AND runs.fence = given.fence AND runs.status = 'running'
    FOR NO KEY UPDATE OF runs ${whenHeld}
  ), ended AS (
    UPDATE runs SET
      status = given.status, worker_id = NULL, failures = runs.failures + given.failures, result = given.result,
      error_code = given.error_code, error_message = given.error_message,
      due_at = CASE WHEN given.status = 'retrying' THEN now() + make_interval(secs => given.delay_ms / 1000)
                    ELSE runs.due_at END,
      completed_at = CASE WHEN given.status = 'retrying' THEN NULL ELSE now() END
    FROM held given WHERE runs.id = given.id AND runs.fence = given.fence AND runs.status = 'running'
    RETURNING runs.*, given.outcome, given.status_code
  ), attempt AS (
    UPDATE run_attempts SET
      completed_at = now(), outcome = ended.outcome, status_code = ended.status_code, error = ended.error_message
    FROM ended WHERE run_id = ended.id AND number = ended.attempt
  ), ${leaveRooms('ended')}
  SELECT ended.id, ended.fence, ended.tenant_id AS "tenantId", ended.job_id AS "jobId", ended.status, ${SECONDS},
         CASE WHEN ended.status = 'retrying' THEN ${fairShareOrder(
           'ended.due_at',
           `tenant.running + (SELECT count(*) FROM (
              SELECT FROM runs WHERE runs.tenant_id = ended.tenant_id AND ${IS_WAITING} AND NOT runs.throttled_by_job
                AND runs.due_at BETWEEN ended.due_at - make_interval(secs => ${QUEUE_SECS}) AND ended.due_at
              LIMIT ${MAX_AHEAD}) before)`,
         )} ELSE 0 END AS "fairShareOrder",
         coalesce(tenant.throttled_at > now() - make_interval(secs => ${SNAPSHOT_AGE_SECS}), false)
           OR EXISTS (SELECT FROM runs WHERE tenant_id = ended.tenant_id AND throttled AND NOT throttled_by_job)
           OR EXISTS (SELECT FROM runs WHERE tenant_id = ended.tenant_id AND job_id = ended.job_id
                        AND throttled AND throttled_by_job) AS "mayPassOn"
  FROM ended JOIN tenant USING (tenant_id)`;
}

const FINISH = finishStatement('');
const FINISH_UNHELD = finishStatement('SKIP LOCKED');

/**
 * By the attempt's outcome: what others end an attempt with is `lost` or `cancelled`, which no worker writes. Whether
 * runs wait for the capacity, whoever looks for them will see.
 */
const FIND_FINISHED = `
  SELECT runs.id, runs.fence, runs.tenant_id AS "tenantId", runs.job_id AS "jobId", runs.status,
         extract(epoch FROM runs.completed_at - runs.started_at)::float8 AS seconds,
         ${fairShareOrder('runs.due_at', '0')} AS "fairShareOrder", true AS "mayPassOn"
  FROM runs JOIN run_attempts ON run_attempts.run_id = runs.id AND run_attempts.number = runs.attempt
  WHERE runs.id = $1 AND runs.fence = $2 AND runs.status = $3 AND run_attempts.outcome = $4`;

/** Ends the attempts of running runs that match `isOrphan`; `$1` is how many losses end the run too. */
function releaseStatement(isOrphan: string): string {
  return `
    WITH orphan AS (
      SELECT id FROM runs WHERE status = 'running' AND ${isOrphan}
      ORDER BY id LIMIT 500 FOR UPDATE SKIP LOCKED
    ), lost AS (
      UPDATE runs SET
        status = CASE WHEN losses + 1 >= $1 THEN 'failed' ELSE 'retrying' END,
        completed_at = CASE WHEN losses + 1 >= $1 THEN now() END,
        error_code = CASE WHEN losses + 1 >= $1 THEN 'worker_lost' END,
        error_message = CASE WHEN losses + 1 >= $1 THEN 'its worker was lost ' || $1 || ' times while it ran' END,
        losses = losses + 1, worker_id = NULL, due_at = now()
      FROM orphan WHERE runs.id = orphan.id
      RETURNING runs.*
    ), attempt AS (
      UPDATE run_attempts SET completed_at = now(), outcome = 'lost', error = 'the worker was lost'
      FROM lost WHERE run_id = lost.id AND number = lost.attempt
    ), ${leaveRooms('lost')}
    SELECT id, fence, tenant_id AS "tenantId", job_id AS "jobId", status, ${SECONDS},
           ${fairShareOrder('due_at', '0')} AS "fairShareOrder" FROM lost`;
}

const RELEASE_OF_DEAD_WORKERS = releaseStatement(`NOT EXISTS (
  SELECT FROM workers
  WHERE id = runs.worker_id AND heartbeat_at > now() - make_interval(secs => $2::float8 / 1000)
)`);

const RELEASE_OF_FORGOTTEN = releaseStatement('(id, fence) IN (SELECT * FROM unnest($2::text[], $3::int[]))');

const LOCK = 'SELECT FROM runs WHERE tenant_id = $1 AND id = $2 FOR UPDATE';

/**
 * A statement of its own after the lock: a claim that was under way comes first, and what it added, the attempt and
 * perhaps the job's capacity, only a later snapshot has.
 */
const CANCEL = `
  WITH found AS (
    SELECT id, status FROM runs WHERE tenant_id = $1 AND id = $2
  ), cancelled AS (
    UPDATE runs SET
      status = 'cancelled', completed_at = now(), worker_id = NULL, throttled = false, throttled_by_job = false,
      error_code = 'cancelled', error_message = 'it was cancelled'
    FROM found WHERE runs.id = found.id AND found.status IN ('queued', 'retrying', 'running')
    RETURNING runs.*, found.status AS before
  ), attempt AS (
    UPDATE run_attempts SET completed_at = now(), outcome = 'cancelled', error = 'the run was cancelled'
    FROM cancelled WHERE before = 'running' AND run_id = cancelled.id AND number = cancelled.attempt
  ), tenant AS (
    UPDATE tenant_concurrency SET running = running - 1 FROM cancelled
    WHERE before = 'running' AND tenant_concurrency.tenant_id = cancelled.tenant_id
    RETURNING tenant_concurrency.tenant_id
  ), job AS (
    UPDATE job_concurrency SET running = running - 1 FROM cancelled JOIN tenant USING (tenant_id)
    WHERE job_concurrency.tenant_id = cancelled.tenant_id AND job_concurrency.job_id = cancelled.job_id
  ), counted AS (${addWaiting(
    `SELECT tenant_id, -1 AS runs, -payload_bytes AS payload_bytes FROM cancelled WHERE before = 'queued'`,
  )})
  SELECT $1::text AS "tenantId", cancelled.job_id AS "jobId", cancelled.before AS "from",
         coalesce(cancelled.status, found.status) AS status, ${SECONDS}
  FROM found LEFT JOIN cancelled USING (id)`;

/** The ways out of `running`, and into `cancelled`. Each leaves capacity in the statement that changes the status. */
@Injectable()
export class RunEndRepository {
  /** Writes the end of an attempt; null when the claim is no longer the current one, and then nothing changes. */
  async finish(handle: AutoCommit, end: AttemptEnd): Promise<WrittenEnd | null> {
    return (await this.write(handle, FINISH, [end]))[0] ?? null;
  }

  /**
   * Writes the ends of several attempts, without waiting for whoever holds one of the runs: it may be the deletion of
   * a job, which takes its time and comes to the others later.
   * @returns for each, what was written; null when nothing was, which `finish` alone can tell the reason of
   */
  async finishUnheld(handle: AutoCommit, ends: readonly AttemptEnd[]): Promise<(WrittenEnd | null)[]> {
    return await this.write(handle, FINISH_UNHELD, ends);
  }

  /** The end of an attempt as it was written by a `finish` whose answer did not come; null when it was not. */
  async findFinished(handle: Reader, end: AttemptEnd): Promise<WrittenEnd | null> {
    return await firstRow<WrittenEnd>(handle, FIND_FINISHED, [end.runId, end.fence, end.status, end.outcome]);
  }

  /** Takes the runs of workers that gave no sign for `deadAfterMs`: to be tried again, the last time failed. */
  async releaseDeadWorkers(
    handle: AutoCommit,
    deadAfterMs: number,
    maxLosses: number,
  ): Promise<StalledRun[]> {
    return await rows<StalledRun>(handle, RELEASE_OF_DEAD_WORKERS, [maxLosses, deadAfterMs]);
  }

  /** Takes runs whose worker lives but forgot them, unless they have moved on since they were seen so. */
  async releaseForgotten(
    handle: AutoCommit,
    forgotten: readonly RunAtFence[],
    maxLosses: number,
  ): Promise<StalledRun[]> {
    return await rows<StalledRun>(handle, RELEASE_OF_FORGOTTEN, [
      maxLosses,
      forgotten.map((run) => run.id),
      forgotten.map((run) => run.fence),
    ]);
  }

  /** Cancels a run that has not ended; null when the tenant has no such run. */
  async cancel(tx: Tx, tenantId: TenantId, runId: string): Promise<Cancellation | null> {
    await rows(tx, LOCK, [tenantId, runId]);
    return await firstRow<Cancellation>(tx, CANCEL, [tenantId, runId]);
  }

  private async write(
    handle: AutoCommit,
    sql: string,
    ends: readonly AttemptEnd[],
  ): Promise<(WrittenEnd | null)[]> {
    const written = await rows<WrittenEnd>(handle, sql, [
      ends.map((end) => end.runId),
      ends.map((end) => end.fence),
      ends.map((end) => end.status),
      ends.map((end) => end.outcome),
      ends.map((end) => (end.countsAsFailure ? 1 : 0)),
      ends.map((end) => end.statusCode),
      ends.map((end) => end.errorCode),
      ends.map((end) => end.errorMessage),
      ends.map((end) => end.result),
      ends.map((end) => end.delayMs),
    ]);
    // By the fence too: two attempts of one run may end here at one time, of which the later one counts.
    return ends.map(
      (end) => written.find(({ id, fence }) => id === end.runId && fence === end.fence) ?? null,
    );
  }
}
