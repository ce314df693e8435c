import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { OneStatement, Reader } from '../../platform/database/index.js';
import type { ClaimedRun } from './run.js';
import type { LeftRoom } from './run-end.repository.js';
import { IS_WAITING } from './waiting-run.js';

/** What came of an attempt to claim. */
export interface Claim extends LeftRoom {
  /** Null when the run found no room, and was parked. */
  readonly run: ClaimedRun | null;
  /** Whether the tenant had room; without a run, it was the job that had none. */
  readonly tenantHadRoom: boolean;
}

type ClaimRow = Omit<Claim, 'run'> & { readonly candidateId: string } & (ClaimedRun | { readonly id: null });

const UNLIMITED = 2_147_483_647;

/** In SQL: how many runs of the job that a row names may run at one time. */
function limitOfJob(row: string): string {
  return `coalesce((SELECT max_concurrent_runs FROM jobs WHERE tenant_id = ${row}.tenant_id AND id = ${row}.job_id),
                   ${UNLIMITED})`;
}

/**
 * Takes waiting runs for an attempt each, as far as their tenants and their jobs have room, the longest due first. The
 * rooms are locked before they are read, the tenants' first and in one order, so that no older snapshot is counted by
 * and no two statements wait for each other. A job's room is changed by those alone who hold its tenant's; one that is
 * not in the snapshot yet may have been made meanwhile, so the insert looks again. Runs that find no room are parked:
 * whoever leaves room calls them.
 *
 * @param named SQL of what the tenants are found by; `$1` is the worker, `$2` the cap of tenants, what follows is the
 *   caller's
 * @param candidates SQL of a query of `runs`, from `tenant`, that locks what it gives
 */
function claimStatement(named: string, candidates: string): string {
  return `
    WITH named AS MATERIALIZED (
      ${named}
    ), tenant AS (
      SELECT tenant_id, $2 - running AS free FROM tenant_rooms
      WHERE tenant_id IN (SELECT tenant_id FROM named)
      ORDER BY tenant_id FOR UPDATE
    ), candidate AS (
      ${candidates}
    ), job_room AS (
      SELECT tenant_id, job_id, running FROM job_rooms
      WHERE (tenant_id, job_id) IN (SELECT tenant_id, job_id FROM candidate)
      FOR UPDATE
    ), of_job AS (
      SELECT candidate.*, row_number() OVER (PARTITION BY tenant_id, job_id ORDER BY due_at, id)
                          + coalesce(job_room.running, 0) <= ${limitOfJob('candidate')} AS job_has_room
      FROM candidate LEFT JOIN job_room USING (tenant_id, job_id)
    ), chosen AS (
      SELECT of_job.*, free > count(*) FILTER (WHERE job_has_room) OVER (
        PARTITION BY tenant_id ORDER BY due_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ) AS tenant_has_room
      FROM of_job JOIN tenant USING (tenant_id)
    ), job AS (
      INSERT INTO job_rooms AS room (tenant_id, job_id, running)
      SELECT tenant_id, job_id, count(*)::int FROM chosen WHERE job_has_room AND tenant_has_room
      GROUP BY tenant_id, job_id
      ON CONFLICT (tenant_id, job_id) DO UPDATE SET running = room.running + EXCLUDED.running
      WHERE room.running + EXCLUDED.running <= ${limitOfJob('EXCLUDED')}
      RETURNING room.tenant_id, room.job_id
    ), decision AS (
      SELECT chosen.id, tenant_id, job_id, tenant_has_room, status, payload_bytes,
             job_has_room AND tenant_has_room AND (tenant_id, job_id) IN (TABLE job) AS enters
      FROM chosen
    ), room AS (
      UPDATE tenant_rooms SET
        running = running + decided.entering,
        started_runs = started_runs + decided.starting, started_bytes = started_bytes + decided.starting_bytes,
        parked_at = CASE WHEN decided.all_enter THEN parked_at ELSE clock_timestamp() END
      FROM (
        SELECT tenant_id, count(*) FILTER (WHERE enters)::int AS entering, bool_and(enters) AS all_enter,
               count(*) FILTER (WHERE enters AND status = 'queued') AS starting,
               coalesce(sum(payload_bytes) FILTER (WHERE enters AND status = 'queued'), 0) AS starting_bytes
        FROM decision GROUP BY tenant_id
      ) decided
      WHERE tenant_rooms.tenant_id = decided.tenant_id
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
    SELECT decision.id AS "candidateId", claimed.id, decision.tenant_id AS "tenantId", decision.job_id AS "jobId",
           claimed.handler, claimed.timeout_ms AS "timeoutMs", claimed.retry_backoff AS "retryBackoff",
           claimed.trigger, claimed.payload::text AS payload, claimed.attempt, claimed.failures,
           claimed.max_attempts AS "maxAttempts", claimed.fence, claimed.scheduled_for AS "scheduledFor",
           claimed.trace_parent AS "traceParent", decision.tenant_has_room AS "tenantHadRoom"
    FROM decision LEFT JOIN claimed USING (id)`;
}

/**
 * Found by their ids alone, whatever the statistics say of how few runs wait: so each is looked for by itself, or the
 * index of those that wait would seem shorter than the list of ids, and be read to its end.
 */
const CLAIM = claimStatement(
  `SELECT runs.id, runs.tenant_id FROM (SELECT DISTINCT unnest($3::text[]) AS id) given CROSS JOIN LATERAL (
     SELECT runs.* FROM runs WHERE runs.id = given.id OFFSET 0
   ) runs WHERE ${IS_WAITING} AND runs.due_at <= now()`,
  `WITH roomed AS MATERIALIZED (SELECT named.id FROM named JOIN tenant USING (tenant_id))
   SELECT found.* FROM roomed CROSS JOIN LATERAL (
     SELECT runs.id, runs.tenant_id, runs.job_id, runs.due_at, runs.status, runs.payload_bytes
     FROM runs WHERE runs.id = roomed.id AND ${IS_WAITING} AND runs.due_at <= now()
     LIMIT 1 FOR UPDATE SKIP LOCKED
   ) found`,
);

/** How many runs more than are wanted are looked at: some may be taken by others meanwhile. */
const SPARE = 20;

/**
 * Of the runs that wait for room of a tenant, and those that wait for room of a job, the longest due. Statistics may
 * say that next to none wait where thousands do, so each part is found before the next is looked for.
 */
const CLAIM_PARKED = claimStatement(
  'SELECT unnest($3::uuid[]) AS tenant_id',
  `WITH wanted AS (
     SELECT tenant_id, free, (
       SELECT count(*) FROM unnest($3::uuid[]) AS room (tenant_id) WHERE room.tenant_id = tenant.tenant_id
     ) AS rooms
     FROM tenant
   ), full_job AS MATERIALIZED (
     SELECT job_rooms.tenant_id, job_rooms.job_id
     FROM wanted JOIN job_rooms USING (tenant_id)
       JOIN jobs ON jobs.tenant_id = job_rooms.tenant_id AND jobs.id = job_rooms.job_id
     WHERE job_rooms.running >= jobs.max_concurrent_runs
   ), seen AS MATERIALIZED (
     SELECT found.* FROM wanted CROSS JOIN LATERAL (
       SELECT runs.tenant_id, runs.id FROM runs
       WHERE runs.tenant_id = wanted.tenant_id AND runs.parked AND NOT runs.parked_by_job
         AND (runs.tenant_id, runs.job_id) NOT IN (TABLE full_job)
       ORDER BY runs.due_at LIMIT wanted.rooms + ${SPARE}
     ) found
     UNION ALL
     SELECT found.*
     FROM (SELECT DISTINCT * FROM unnest($3::uuid[], $4::text[]) AS room (tenant_id, job_id)) room
       JOIN wanted USING (tenant_id) CROSS JOIN LATERAL (
         SELECT runs.tenant_id, runs.id FROM runs
         WHERE runs.tenant_id = room.tenant_id AND runs.job_id = room.job_id AND runs.parked AND runs.parked_by_job
         ORDER BY runs.due_at LIMIT wanted.rooms + ${SPARE}
       ) found
     WHERE (room.tenant_id, room.job_id) NOT IN (TABLE full_job)
   )
   SELECT found.* FROM wanted CROSS JOIN LATERAL (
     SELECT runs.id, runs.tenant_id, runs.job_id, runs.due_at, runs.status, runs.payload_bytes
     FROM seen JOIN runs USING (id)
     WHERE seen.tenant_id = wanted.tenant_id AND ${IS_WAITING} AND runs.due_at <= now()
     ORDER BY runs.due_at LIMIT greatest(least(wanted.rooms, wanted.free), 0)
     FOR UPDATE OF runs SKIP LOCKED
   ) found`,
);

/** The one way into `running`. */
@Injectable()
export class RunClaimRepository {
  /**
   * Claims these runs, each named once.
   * @returns for each, what came of it; null when it is not to be had: claimed elsewhere, ended, or not due
   */
  async claim(
    handle: OneStatement,
    runIds: readonly string[],
    workerId: string,
    cap: number,
  ): Promise<(Claim | null)[]> {
    const found = await rows<ClaimRow>(handle, CLAIM, [workerId, cap, runIds]);
    const claims = new Map(found.map((row) => [row.candidateId, claimOf(row)]));
    return runIds.map((id) => claims.get(id) ?? null);
  }

  /** The hint names the run alone; whoever takes it needs its tenant. */
  async tenantOf(reader: Reader, runId: string): Promise<string | null> {
    const found = await firstRow<{ tenantId: string }>(
      reader,
      'SELECT tenant_id AS "tenantId" FROM runs WHERE id = $1',
      [runId],
    );
    return found?.tenantId ?? null;
  }

  /**
   * Claims a parked run into each of the rooms that a run of this tenant and this job has left.
   * @returns for each room, what came of a run for it; null when there is none
   */
  async claimParked(
    handle: OneStatement,
    rooms: readonly LeftRoom[],
    workerId: string,
    cap: number,
  ): Promise<(Claim | null)[]> {
    const [tenantIds, jobIds] = [rooms.map((room) => room.tenantId), rooms.map((room) => room.jobId)];
    const found = await rows<ClaimRow>(handle, CLAIM_PARKED, [workerId, cap, tenantIds, jobIds]);
    const claims = found.map((row) => claimOf(row));
    return rooms.map(({ tenantId }) => {
      const place = claims.findIndex((claim) => claim.tenantId === tenantId);
      return place === -1 ? null : (claims.splice(place, 1)[0] ?? null);
    });
  }
}

function claimOf(row: ClaimRow): Claim {
  const { tenantId, jobId, tenantHadRoom } = row;
  return { tenantId, jobId, tenantHadRoom, run: row.id === null ? null : row };
}
