import { logStarted } from './run-log-lines.js';
import { isUnclaimed, NEW_STATUS, statusSetBy } from './status-sql.js';
import { IN_TURN } from './waiting-run.js';

/*
 * The parts, as queries for a WITH clause, of the statements that give runs a concurrency slot of their tenant and one
 * of their job. Both slot counts are locked before they are read, the tenants' first and in a fixed order, so that no
 * statement counts by an older snapshot and no two statements deadlock. Only a statement that holds the tenant's lock
 * changes a job's slot count.
 *
 * They follow the queries `freed` (tenant_id, job_id, count): the slots that runs free in this statement; `tenant`
 * (tenant_id, free, freed): locked, with the slots that are free and those that this statement frees; and `candidate`
 * (id, tenant_id, job_id, priority, due_at, status, payload_bytes).
 */

/** In SQL: `freed` of a statement that ends no runs. */
export const NONE_FREED = `freed AS (SELECT NULL::uuid AS tenant_id, NULL::text AS job_id, 0 AS count WHERE false)`;

const UNLIMITED = 2_147_483_647;

/** In SQL: how many runs of the row's job may run at the same time. */
function limitOfJob(row: string): string {
  return `coalesce((SELECT max_concurrent_runs FROM jobs WHERE tenant_id = ${row}.tenant_id AND id = ${row}.job_id),
                   ${UNLIMITED})`;
}

/**
 * In SQL: `decision`, which candidates get a slot (`enters`), in the order of `IN_TURN`. Counts the slots of jobs.
 *
 * A count of a job that is not in the snapshot may have been created meanwhile, so the insert checks the limit again.
 * The count of a run that ends is in the snapshot, since the run was claimed earlier.
 */
export const DECIDE = `
  job_slot AS (
    SELECT tenant_id, job_id, running FROM job_concurrency
    WHERE (tenant_id, job_id) IN (SELECT tenant_id, job_id FROM candidate UNION SELECT tenant_id, job_id FROM freed)
    ORDER BY tenant_id, job_id FOR UPDATE
  ), of_job AS (
    SELECT candidate.*, row_number() OVER (PARTITION BY tenant_id, job_id ORDER BY ${IN_TURN}, id)
                        + coalesce(job_slot.running, 0) - coalesce(freed.count, 0)
                        <= ${limitOfJob('candidate')} AS job_has_slot
    FROM candidate LEFT JOIN job_slot USING (tenant_id, job_id) LEFT JOIN freed USING (tenant_id, job_id)
  ), chosen AS (
    SELECT of_job.*, free > count(*) FILTER (WHERE job_has_slot) OVER (
      PARTITION BY tenant_id ORDER BY ${IN_TURN}, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS tenant_has_slot
    FROM of_job JOIN tenant USING (tenant_id)
  ), entering AS (
    SELECT tenant_id, job_id, count(*)::int AS count FROM chosen WHERE job_has_slot AND tenant_has_slot
    GROUP BY tenant_id, job_id
  ), job_of_freed AS (
    UPDATE job_concurrency SET running = running - freed.count + coalesce(entering.count, 0)
    FROM freed LEFT JOIN entering USING (tenant_id, job_id)
    WHERE job_concurrency.tenant_id = freed.tenant_id AND job_concurrency.job_id = freed.job_id
  ), job AS (
    INSERT INTO job_concurrency AS slot (tenant_id, job_id, running)
    SELECT tenant_id, job_id, count FROM entering
    WHERE (tenant_id, job_id) NOT IN (SELECT tenant_id, job_id FROM freed)
    ON CONFLICT (tenant_id, job_id) DO UPDATE SET running = slot.running + EXCLUDED.running
    WHERE slot.running + EXCLUDED.running <= ${limitOfJob('EXCLUDED')}
    RETURNING slot.tenant_id, slot.job_id
  ), decision AS (
    SELECT chosen.id, tenant_id, job_id, tenant_has_slot, status, payload_bytes,
           job_has_slot AND tenant_has_slot
             AND (tenant_id, job_id) IN (TABLE job UNION ALL SELECT tenant_id, job_id FROM freed) AS enters
    FROM chosen
  )`;

/**
 * In SQL: `claimed`, the runs of `decision` that got a slot, moved to `running` for one attempt each. Counts the slots
 * of tenants. The other runs are throttled; the statement or sweep that next finds a free slot wakes them.
 *
 * @param worker the parameter with the worker's id
 */
export function claimDecided(worker: string): string {
  return `
  decided AS (
    SELECT tenant_id, count(*) FILTER (WHERE enters)::int AS entering, bool_and(enters) AS all_enter,
           count(*) FILTER (WHERE enters AND ${isUnclaimed('status')}) AS starting,
           coalesce(sum(payload_bytes) FILTER (WHERE enters AND ${isUnclaimed('status')}), 0) AS starting_bytes
    FROM decision GROUP BY tenant_id
  ), slot AS (
    UPDATE tenant_concurrency SET
      running = running - tenant.freed + coalesce(decided.entering, 0),
      started_runs = started_runs + coalesce(decided.starting, 0),
      started_bytes = started_bytes + coalesce(decided.starting_bytes, 0),
      throttled_at = CASE WHEN decided.all_enter IS NOT FALSE THEN throttled_at ELSE clock_timestamp() END
    FROM tenant LEFT JOIN decided USING (tenant_id)
    WHERE tenant_concurrency.tenant_id = tenant.tenant_id
      AND (tenant.freed > 0 OR decided.tenant_id IS NOT NULL)
    RETURNING tenant_concurrency.tenant_id, running - deferred AS running, throttled_at
  ), throttled AS (
    UPDATE runs SET throttled = true, throttled_by_job = decision.tenant_has_slot
    FROM decision WHERE runs.id = decision.id AND NOT decision.enters
  ), claimed AS (${claim('(SELECT * FROM decision WHERE enters)', worker)}
  ), new_attempt AS (
    INSERT INTO run_attempts (run_id, number, started_at) SELECT id, attempt, now() FROM claimed
  ), logged_start AS (${logStarted('claimed')})`;
}

/**
 * In SQL: moves runs to `running`, for one attempt each.
 *
 * @param runs a query whose rows have the `id` of a run that waits and is locked
 * @param worker the parameter with the worker's id
 * @param returning further columns, from `runs` or `next`
 */
export function claim(runs: string, worker: string, returning = ''): string {
  return `
    UPDATE runs SET
      status = ${statusSetBy('claimed')}, worker_id = ${worker}, fence = fence + 1, attempt = attempt + 1, throttled = false,
      throttled_by_job = false, started_at = coalesce(started_at, now())
    FROM ${runs} next WHERE runs.id = next.id
    RETURNING runs.*${returning}`;
}

/**
 * In SQL: the values of `status`, `worker_id`, `fence`, `attempt` and `started_at` of a new run.
 *
 * @param isClaimed condition on whether the run is claimed in the statement that creates it
 * @param worker the parameter with the worker's id
 */
export function claimOfNew(isClaimed: string, worker: string): string {
  return `CASE WHEN ${isClaimed} THEN ${statusSetBy('claimed')} ELSE ${NEW_STATUS} END,
    CASE WHEN ${isClaimed} THEN ${worker}::uuid END, CASE WHEN ${isClaimed} THEN 1 ELSE 0 END,
    CASE WHEN ${isClaimed} THEN 1 ELSE 0 END, CASE WHEN ${isClaimed} THEN now() END`;
}

/** In SQL: the columns of `ClaimedRun` but its tenant and job, from `claimed`. */
export const CLAIMED_COLUMNS = `
  claimed.id, claimed.handler, claimed.timeout_ms AS "timeoutMs", claimed.retry_backoff AS "retryBackoff",
  claimed.trigger, claimed.payload::text AS payload, claimed.attempt, claimed.failures,
  claimed.max_attempts AS "maxAttempts", claimed.fence, claimed.scheduled_for AS "scheduledFor",
  claimed.trace_parent AS "traceParent", claimed.due_at AS "dueAt"`;
