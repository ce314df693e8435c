import { Injectable } from '@nestjs/common';
import { arrayParameters, firstRow, prepared, rows } from '../../../platform/database/index.js';
import type { AutoCommit, Reader } from '../../../platform/database/index.js';
import type { ClaimedRun } from '../model/run.js';
import { logStarted } from '../model/run-log-lines.js';
import { isUnclaimed, statusSetBy } from '../model/status-sql.js';
import type { FreedSlot } from '../model/waiting-run.js';
import { IS_WAITING } from '../model/waiting-run.js';

/** The result of a claim. */
export interface Claim extends FreedSlot {
  /** Null when the run found no free slot and was throttled. */
  readonly run: ClaimedRun | null;
  /** Whether the tenant had a free slot. If so and `run` is null, the job had none. */
  readonly tenantHadFreeSlot: boolean;
}

type ClaimRow = Omit<Claim, 'run'> & { readonly candidateId: string } & (ClaimedRun | { readonly id: null });

const UNLIMITED = 2_147_483_647;

/** In SQL: how many runs of the row's job may run at the same time. */
function limitOfJob(row: string): string {
  return `coalesce((SELECT max_concurrent_runs FROM jobs WHERE tenant_id = ${row}.tenant_id AND id = ${row}.job_id),
                   ${UNLIMITED})`;
}

/**
 * Claims waiting runs for one attempt each, within the concurrency slots of their tenants and jobs, longest due
 * first. The slot counts are locked before they are read, the tenants' first and in a fixed order, so that no
 * statement counts by an older snapshot and no two statements deadlock. Only a statement that holds the tenant's lock
 * changes a job's slot count. A count that is not in the snapshot may have been created meanwhile, so the insert
 * checks the limit again. Runs that find no free slot are throttled; the statement or sweep that next finds a free
 * slot wakes them.
 *
 * @param named SQL that finds the tenants; `$1` is the worker, `$2` the limit per tenant, further parameters belong
 *   to the caller
 * @param candidates SQL of a query that selects from `runs` by `tenant` and locks the rows that it returns
 */
function claimStatement(named: string, candidates: string): string {
  return `
    WITH named AS MATERIALIZED (
      ${named}
    ), tenant AS (
      SELECT tenant_id, $2 - running AS free FROM tenant_concurrency
      WHERE tenant_id IN (SELECT tenant_id FROM named)
      ORDER BY tenant_id FOR UPDATE
    ), candidate AS (
      ${candidates}
    ), job_slot AS (
      SELECT tenant_id, job_id, running FROM job_concurrency
      WHERE (tenant_id, job_id) IN (SELECT tenant_id, job_id FROM candidate)
      FOR UPDATE
    ), of_job AS (
      SELECT candidate.*, row_number() OVER (PARTITION BY tenant_id, job_id ORDER BY due_at, id)
                          + coalesce(job_slot.running, 0) <= ${limitOfJob('candidate')} AS job_has_slot
      FROM candidate LEFT JOIN job_slot USING (tenant_id, job_id)
    ), chosen AS (
      SELECT of_job.*, free > count(*) FILTER (WHERE job_has_slot) OVER (
        PARTITION BY tenant_id ORDER BY due_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ) AS tenant_has_slot
      FROM of_job JOIN tenant USING (tenant_id)
    ), job AS (
      INSERT INTO job_concurrency AS slot (tenant_id, job_id, running)
      SELECT tenant_id, job_id, count(*)::int FROM chosen WHERE job_has_slot AND tenant_has_slot
      GROUP BY tenant_id, job_id
      ON CONFLICT (tenant_id, job_id) DO UPDATE SET running = slot.running + EXCLUDED.running
      WHERE slot.running + EXCLUDED.running <= ${limitOfJob('EXCLUDED')}
      RETURNING slot.tenant_id, slot.job_id
    ), decision AS (
      SELECT chosen.id, tenant_id, job_id, tenant_has_slot, status, payload_bytes,
             job_has_slot AND tenant_has_slot AND (tenant_id, job_id) IN (TABLE job) AS enters
      FROM chosen
    ), slot AS (
      UPDATE tenant_concurrency SET
        running = running + decided.entering,
        started_runs = started_runs + decided.starting, started_bytes = started_bytes + decided.starting_bytes,
        throttled_at = CASE WHEN decided.all_enter THEN throttled_at ELSE clock_timestamp() END
      FROM (
        SELECT tenant_id, count(*) FILTER (WHERE enters)::int AS entering, bool_and(enters) AS all_enter,
               count(*) FILTER (WHERE enters AND ${isUnclaimed('status')}) AS starting,
               coalesce(sum(payload_bytes) FILTER (WHERE enters AND ${isUnclaimed('status')}), 0) AS starting_bytes
        FROM decision GROUP BY tenant_id
      ) decided
      WHERE tenant_concurrency.tenant_id = decided.tenant_id
    ), throttled AS (
      UPDATE runs SET throttled = true, throttled_by_job = decision.tenant_has_slot
      FROM decision WHERE runs.id = decision.id AND NOT decision.enters
    ), claimed AS (
      UPDATE runs SET
        status = ${statusSetBy('claimed')}, worker_id = $1, fence = fence + 1, attempt = attempt + 1, throttled = false,
        throttled_by_job = false, started_at = coalesce(started_at, now())
      FROM decision WHERE runs.id = decision.id AND decision.enters
      RETURNING runs.*
    ), attempt AS (
      INSERT INTO run_attempts (run_id, number, started_at) SELECT id, attempt, now() FROM claimed
    ), logged AS (${logStarted('claimed')})
    SELECT decision.id AS "candidateId", claimed.id, decision.tenant_id AS "tenantId", decision.job_id AS "jobId",
           claimed.handler, claimed.timeout_ms AS "timeoutMs", claimed.retry_backoff AS "retryBackoff",
           claimed.trigger, claimed.payload::text AS payload, claimed.attempt, claimed.failures,
           claimed.max_attempts AS "maxAttempts", claimed.fence, claimed.scheduled_for AS "scheduledFor",
           claimed.trace_parent AS "traceParent", decision.tenant_has_slot AS "tenantHadFreeSlot"
    FROM decision LEFT JOIN claimed USING (id)`;
}

/**
 * Looks up each run by its primary key, one at a time. Otherwise, when the statistics say that few runs wait, the
 * planner could expect the index of waiting runs to be shorter than the list of ids and read it to its end.
 */
const CLAIM = prepared(
  'claim_runs',
  claimStatement(
    `SELECT runs.id, runs.tenant_id FROM (SELECT DISTINCT unnest(${arrayParameters(3, 'text')}) AS id) given CROSS JOIN LATERAL (
     SELECT runs.* FROM runs WHERE runs.id = given.id OFFSET 0
   ) runs WHERE ${IS_WAITING} AND runs.due_at <= now()`,
    `WITH of_locked_tenant AS MATERIALIZED (SELECT named.id FROM named JOIN tenant USING (tenant_id))
   SELECT found.* FROM of_locked_tenant CROSS JOIN LATERAL (
     SELECT runs.id, runs.tenant_id, runs.job_id, runs.due_at, runs.status, runs.payload_bytes
     FROM runs WHERE runs.id = of_locked_tenant.id AND ${IS_WAITING} AND runs.due_at <= now()
     LIMIT 1 FOR UPDATE SKIP LOCKED
   ) found`,
  ),
);

/** How many more runs than needed the statement looks at, because other workers may claim some of them meanwhile. */
const SPARE = 20;

/**
 * Of the runs that wait for a slot of the tenant or of the job, claims those that are due longest. Statistics may say
 * that almost no runs wait where thousands do, so each part is materialized before the next one is looked up.
 */
const CLAIM_THROTTLED = prepared(
  'claim_throttled_runs',
  claimStatement(
    `SELECT unnest(${arrayParameters(3, 'uuid')}) AS tenant_id`,
    `WITH wanted AS (
     SELECT tenant_id, free, (
       SELECT count(*) FROM unnest(${arrayParameters(3, 'uuid')}) AS slot (tenant_id) WHERE slot.tenant_id = tenant.tenant_id
     ) AS slots
     FROM tenant
   ), full_job AS MATERIALIZED (
     SELECT job_concurrency.tenant_id, job_concurrency.job_id
     FROM wanted JOIN job_concurrency USING (tenant_id)
       JOIN jobs ON jobs.tenant_id = job_concurrency.tenant_id AND jobs.id = job_concurrency.job_id
     WHERE job_concurrency.running >= jobs.max_concurrent_runs
   ), seen AS MATERIALIZED (
     SELECT found.* FROM wanted CROSS JOIN LATERAL (
       SELECT runs.tenant_id, runs.id FROM runs
       WHERE runs.tenant_id = wanted.tenant_id AND runs.throttled AND NOT runs.throttled_by_job
         AND (runs.tenant_id, runs.job_id) NOT IN (TABLE full_job)
       ORDER BY runs.due_at LIMIT wanted.slots + ${SPARE}
     ) found
     UNION ALL
     SELECT found.*
     FROM (SELECT DISTINCT * FROM unnest(${arrayParameters(3, 'uuid', 'text')}) AS slot (tenant_id, job_id)) slot
       JOIN wanted USING (tenant_id) CROSS JOIN LATERAL (
         SELECT runs.tenant_id, runs.id FROM runs
         WHERE runs.tenant_id = slot.tenant_id AND runs.job_id = slot.job_id AND runs.throttled AND runs.throttled_by_job
         ORDER BY runs.due_at LIMIT wanted.slots + ${SPARE}
       ) found
     WHERE (slot.tenant_id, slot.job_id) NOT IN (TABLE full_job)
   )
   SELECT found.* FROM wanted CROSS JOIN LATERAL (
     SELECT runs.id, runs.tenant_id, runs.job_id, runs.due_at, runs.status, runs.payload_bytes
     FROM seen JOIN runs USING (id)
     WHERE seen.tenant_id = wanted.tenant_id AND ${IS_WAITING} AND runs.due_at <= now()
     ORDER BY runs.due_at LIMIT greatest(least(wanted.slots, wanted.free), 0)
     FOR UPDATE OF runs SKIP LOCKED
   ) found`,
  ),
);

/** The only place that moves runs to `running`. */
@Injectable()
export class RunClaimRepository {
  /**
   * Claims these runs. Each id is given once.
   * @returns for each run, the result; null when it was claimed elsewhere, has ended or is not due
   */
  async claim(
    handle: AutoCommit,
    runIds: readonly string[],
    workerId: string,
    cap: number,
  ): Promise<(Claim | null)[]> {
    const found = await rows<ClaimRow>(handle, CLAIM, [workerId, cap, runIds]);
    const claims = new Map(found.map((row) => [row.candidateId, claimOf(row)]));
    return runIds.map((id) => claims.get(id) ?? null);
  }

  /** Finds the tenant of a run, for wake-ups that carry only the run's id. */
  async tenantOf(reader: Reader, runId: string): Promise<string | null> {
    const found = await firstRow<{ tenantId: string }>(
      reader,
      'SELECT tenant_id AS "tenantId" FROM runs WHERE id = $1',
      [runId],
    );
    return found?.tenantId ?? null;
  }

  /**
   * Claims a throttled run for each freed slot of a tenant and a job.
   * @returns for each slot, the result; null when no run waits for it
   */
  async claimThrottled(
    handle: AutoCommit,
    slots: readonly FreedSlot[],
    workerId: string,
    cap: number,
  ): Promise<(Claim | null)[]> {
    const [tenantIds, jobIds] = [slots.map((slot) => slot.tenantId), slots.map((slot) => slot.jobId)];
    const found = await rows<ClaimRow>(handle, CLAIM_THROTTLED, [workerId, cap, tenantIds, jobIds]);
    const claims = found.map((row) => claimOf(row));
    return slots.map(({ tenantId }) => {
      const place = claims.findIndex((claim) => claim.tenantId === tenantId);
      return place === -1 ? null : (claims.splice(place, 1)[0] ?? null);
    });
  }
}

function claimOf(row: ClaimRow): Claim {
  const { tenantId, jobId, tenantHadFreeSlot } = row;
  return { tenantId, jobId, tenantHadFreeSlot, run: row.id === null ? null : row };
}
