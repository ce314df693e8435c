import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { OneStatement, Reader } from '../../platform/database/index.js';
import type { ClaimedRun, EndedRun } from './run.js';
import type { AttemptOutcome, RunErrorCode, RunStatus } from './run-state.js';

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

export interface WrittenEnd extends EndedRun {
  readonly tenantId: string;
  /** Whether runs of the tenant may be waiting for the room that this one leaves. */
  readonly mayHandOver: boolean;
}

/** A run at one point of its way: the fence tells one attempt from the next. */
export interface WaitingRun {
  readonly id: string;
  readonly fence: number;
}

/** A run taken from its worker. */
export type LostRun = WaitingRun & EndedRun;

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
    ), room AS (
      UPDATE tenant_rooms SET running = running - freed.count
      FROM (SELECT tenant_id, count(*)::int AS count FROM lost GROUP BY tenant_id) freed
      WHERE tenant_rooms.tenant_id = freed.tenant_id
    )
    SELECT id, fence, status, extract(epoch FROM completed_at - started_at)::float8 AS seconds FROM lost`;
}

/** SQL that moves runs into and out of `running`; each statement is one step of the state table. */
@Injectable()
export class RunClaimRepository {
  /**
   * Takes a due run for one attempt, if it still waits and its tenant has room; null otherwise. The room is
   * counted up in the statement that makes the run `running`, so of any number of workers none exceeds the
   * cap. A run that finds no room is parked: whoever leaves room calls it (see `takeParked`).
   */
  async claim(
    handle: OneStatement,
    runId: string,
    workerId: string,
    cap: number,
  ): Promise<ClaimedRun | null> {
    return await firstRow<ClaimedRun>(
      handle,
      `WITH candidate AS (
         SELECT id, tenant_id FROM runs
         WHERE id = $1 AND status IN ('queued', 'retrying') AND due_at <= now()
         FOR UPDATE SKIP LOCKED
       ), room AS (
         SELECT room.tenant_id, room.running < $3 AS has_space FROM tenant_rooms room JOIN candidate USING (tenant_id)
         FOR UPDATE OF room
       ), entered AS (
         UPDATE tenant_rooms SET running = running + 1 FROM room
         WHERE tenant_rooms.tenant_id = room.tenant_id AND room.has_space
         RETURNING tenant_rooms.tenant_id
       ), parked AS (
         UPDATE runs SET parked = true FROM room WHERE runs.id = $1 AND NOT room.has_space AND NOT runs.parked
       ), claimed AS (
         UPDATE runs SET
           status = 'running', worker_id = $2, fence = fence + 1, attempt = attempt + 1, parked = false,
           started_at = coalesce(started_at, now())
         FROM entered WHERE runs.id = $1
         RETURNING runs.*
       ), attempt AS (
         INSERT INTO run_attempts (run_id, number, started_at) SELECT id, attempt, now() FROM claimed
       )
       SELECT id, tenant_id AS "tenantId", job_id AS "jobId", handler, timeout_ms AS "timeoutMs",
              retry_backoff AS "retryBackoff", trigger, payload::text AS payload, attempt, failures,
              max_attempts AS "maxAttempts", fence, scheduled_for AS "scheduledFor",
              trace_parent AS "traceParent"
       FROM claimed`,
      [runId, workerId, cap],
    );
  }

  /** Writes the end of an attempt; null when the claim is no longer the current one, and then nothing changes. */
  async finish(handle: OneStatement, end: AttemptEnd, cap: number): Promise<WrittenEnd | null> {
    return await firstRow<WrittenEnd>(
      handle,
      `WITH ended AS (
         UPDATE runs SET
           status = $3, worker_id = NULL, failures = failures + $5::int, result = $9::json,
           error_code = $7, error_message = $8,
           due_at = CASE WHEN $3 = 'retrying' THEN now() + make_interval(secs => $10::float8 / 1000)
                         ELSE due_at END,
           completed_at = CASE WHEN $3 = 'retrying' THEN NULL ELSE now() END
         WHERE id = $1 AND fence = $2 AND status = 'running'
         RETURNING *
       ), attempt AS (
         UPDATE run_attempts SET completed_at = now(), outcome = $4, status_code = $6, error = $8
         FROM ended WHERE run_id = ended.id AND number = ended.attempt
       ), room AS (
         UPDATE tenant_rooms SET running = running - 1 FROM ended
         WHERE tenant_rooms.tenant_id = ended.tenant_id
         RETURNING running
       )
       SELECT ended.tenant_id AS "tenantId", ended.status,
              extract(epoch FROM ended.completed_at - ended.started_at)::float8 AS seconds,
              room.running + 1 >= $11 OR EXISTS (
                SELECT FROM runs waiting WHERE waiting.tenant_id = ended.tenant_id AND waiting.parked
              ) AS "mayHandOver"
       FROM ended CROSS JOIN room`,
      [
        end.runId,
        end.fence,
        end.status,
        end.outcome,
        end.countsAsFailure ? 1 : 0,
        end.statusCode,
        end.errorCode,
        end.errorMessage,
        end.result,
        end.delayMs,
        cap,
      ],
    );
  }

  /** Calls as many parked runs of a tenant as it now has room for, the longest due first. */
  async takeParked(handle: OneStatement, tenantId: string, cap: number): Promise<WaitingRun[]> {
    return await rows<WaitingRun>(
      handle,
      `UPDATE runs SET parked = false
       WHERE id IN (
         SELECT id FROM runs WHERE tenant_id = $1 AND parked
         ORDER BY due_at
         LIMIT (SELECT greatest($2 - running, 0) FROM tenant_rooms WHERE tenant_id = $1)
         FOR UPDATE SKIP LOCKED
       )
       RETURNING id, fence`,
      [tenantId, cap],
    );
  }

  /** Takes the runs of workers that gave no sign for `deadAfterMs`: to be tried again, the last time failed. */
  async releaseDeadWorkers(handle: OneStatement, deadAfterMs: number, maxLosses: number): Promise<LostRun[]> {
    const isOrphan = `NOT EXISTS (
      SELECT FROM workers
      WHERE workers.id = runs.worker_id AND heartbeat_at > now() - make_interval(secs => $2::float8 / 1000)
    )`;
    return await rows<LostRun>(handle, releaseStatement(isOrphan), [maxLosses, deadAfterMs]);
  }

  /** Takes runs whose worker lives but forgot them, unless they have moved on since they were seen so. */
  async releaseForgotten(
    handle: OneStatement,
    forgotten: readonly WaitingRun[],
    maxLosses: number,
  ): Promise<LostRun[]> {
    const isOrphan = '(id, fence) IN (SELECT * FROM unnest($2::text[], $3::int[]))';
    return await rows<LostRun>(handle, releaseStatement(isOrphan), [
      maxLosses,
      forgotten.map((run) => run.id),
      forgotten.map((run) => run.fence),
    ]);
  }

  /** Runs due for more than `overdueMs` whose tenant has room: their hint was lost, or waits behind others. */
  async listOverdue(handle: Reader, overdueMs: number, cap: number, limit: number): Promise<WaitingRun[]> {
    return await rows<WaitingRun>(
      handle,
      `SELECT runs.id, runs.fence FROM runs JOIN tenant_rooms USING (tenant_id)
       WHERE runs.status IN ('queued', 'retrying') AND runs.due_at < now() - make_interval(secs => $1::float8 / 1000)
         AND tenant_rooms.running < $2
       ORDER BY runs.due_at LIMIT $3`,
      [overdueMs, cap, limit],
    );
  }
}
