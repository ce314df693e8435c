import { Injectable } from '@nestjs/common';
import { firstRow } from '../../platform/database/index.js';
import type { OneStatement } from '../../platform/database/index.js';
import type { ClaimedRun } from './run.js';
import { IS_WAITING, JOB_HAS_ROOM } from './waiting-run.js';

/** What came of an attempt to claim. */
export interface Claim {
  readonly tenantId: string;
  readonly jobId: string;
  /** Null when the run found no room, and was parked. */
  readonly run: ClaimedRun | null;
  /** Whether the tenant had room; without a run, it was the job that had none. */
  readonly tenantHadRoom: boolean;
}

type ClaimRow = Omit<Claim, 'run'> & (ClaimedRun | { readonly id: null });

/**
 * Takes one waiting run for an attempt, if its tenant and its job have room. The rooms are locked before they are
 * read, the tenant's first and the job's by the very insert that counts it up, so that no older snapshot is counted
 * by and no two statements wait for each other. A run that finds no room is parked: whoever leaves room calls it.
 *
 * @param tenant SQL of the tenant's id; `$1` is the worker, `$2` the cap of tenants, what follows is the caller's
 * @param candidate SQL of what tells the run, a condition and an order
 */
function claimStatement(tenant: string, candidate: string): string {
  return `
    WITH tenant AS (
      SELECT tenant_rooms.tenant_id, tenant_rooms.running < $2 AS has_room FROM tenant_rooms
      WHERE tenant_rooms.tenant_id = ${tenant}
      FOR UPDATE
    ), candidate AS (
      SELECT found.*, tenant.has_room AS tenant_has_room
      FROM tenant CROSS JOIN LATERAL (
        SELECT runs.id, runs.tenant_id, runs.job_id FROM runs
        WHERE runs.tenant_id = tenant.tenant_id AND ${IS_WAITING} AND runs.due_at <= now() AND ${candidate}
        LIMIT 1
        FOR UPDATE SKIP LOCKED
      ) found
    ), job AS (
      INSERT INTO job_rooms AS room (tenant_id, job_id, running)
      SELECT tenant_id, job_id, 1 FROM candidate WHERE tenant_has_room
      ON CONFLICT (tenant_id, job_id) DO UPDATE SET running = room.running + 1
      WHERE room.running < coalesce(
        (SELECT max_concurrent_runs FROM jobs WHERE tenant_id = EXCLUDED.tenant_id AND id = EXCLUDED.job_id),
        2147483647
      )
      RETURNING room.job_id
    ), decision AS (
      SELECT candidate.*, EXISTS (SELECT FROM job) AS enters FROM candidate
    ), room AS (
      UPDATE tenant_rooms SET
        running = running + decision.enters::int,
        parked_at = CASE WHEN decision.enters THEN parked_at ELSE clock_timestamp() END
      FROM decision WHERE tenant_rooms.tenant_id = decision.tenant_id
    ), parked AS (
      UPDATE runs SET parked = true, parked_by_job = decision.tenant_has_room
      FROM decision WHERE runs.id = decision.id AND NOT decision.enters
    ), claimed AS (
      UPDATE runs SET
        status = 'running', worker_id = $1, fence = fence + 1, attempt = attempt + 1, parked = false,
        parked_by_job = false, started_at = coalesce(started_at, now())
      FROM decision WHERE runs.id = decision.id AND decision.enters
      RETURNING runs.*
    ), attempt AS (
      INSERT INTO run_attempts (run_id, number, started_at) SELECT id, attempt, now() FROM claimed
    )
    SELECT claimed.id, decision.tenant_id AS "tenantId", decision.job_id AS "jobId", claimed.handler,
           claimed.timeout_ms AS "timeoutMs", claimed.retry_backoff AS "retryBackoff", claimed.trigger,
           claimed.payload::text AS payload, claimed.attempt, claimed.failures,
           claimed.max_attempts AS "maxAttempts", claimed.fence, claimed.scheduled_for AS "scheduledFor",
           claimed.trace_parent AS "traceParent", decision.tenant_has_room AS "tenantHadRoom"
    FROM decision LEFT JOIN claimed ON true`;
}

const CLAIM = claimStatement(
  `(SELECT tenant_id FROM runs WHERE id = $3 AND ${IS_WAITING} AND due_at <= now())`,
  'runs.id = $3',
);

/** How many runs are looked at: some may be taken by others meanwhile. */
const CHOICE = 20;

/** Of the runs that wait for room of the tenant, and those that wait for room of the job, the longest due. */
const CLAIM_PARKED = claimStatement(
  '$3',
  `tenant.has_room AND runs.id IN (
    (SELECT runs.id FROM runs
     WHERE runs.tenant_id = $3 AND runs.parked AND NOT runs.parked_by_job AND ${JOB_HAS_ROOM}
     ORDER BY runs.due_at LIMIT ${CHOICE})
    UNION ALL
    (SELECT runs.id FROM runs
     WHERE runs.tenant_id = $3 AND runs.job_id = $4 AND runs.parked AND runs.parked_by_job AND ${JOB_HAS_ROOM}
     ORDER BY runs.due_at LIMIT ${CHOICE})
  )
  ORDER BY runs.due_at`,
);

/** The one way into `running`. */
@Injectable()
export class RunClaimRepository {
  /** Claims this run; null when it is not to be had: claimed elsewhere, ended, or not due. */
  async claim(handle: OneStatement, runId: string, workerId: string, cap: number): Promise<Claim | null> {
    return claimOf(await firstRow<ClaimRow>(handle, CLAIM, [workerId, cap, runId]));
  }

  /** Claims a parked run into room that a run of this tenant and this job has left; null when there is none. */
  async claimParked(
    handle: OneStatement,
    room: { readonly tenantId: string; readonly jobId: string },
    workerId: string,
    cap: number,
  ): Promise<Claim | null> {
    return claimOf(
      await firstRow<ClaimRow>(handle, CLAIM_PARKED, [workerId, cap, room.tenantId, room.jobId]),
    );
  }
}

function claimOf(row: ClaimRow | null): Claim | null {
  if (row === null) return null;
  const { tenantId, jobId, tenantHadRoom } = row;
  return { tenantId, jobId, tenantHadRoom, run: row.id === null ? null : row };
}
