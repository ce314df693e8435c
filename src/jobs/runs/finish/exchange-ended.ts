import { arrayParameters, prepared } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';
import { claim } from '../model/claim-statement.js';
import { anyListensToEnds } from '../model/run-events-sql.js';
import { logStarted } from '../model/run-log-lines.js';
import { isFinal, statusAfter } from '../model/run-status.js';
import { isUnclaimed } from '../model/status-sql.js';
import { anyRun, IN_TURN, IS_IN_TIME, IS_WAITING } from '../model/waiting-run.js';
import { AFTER_END_PARAMETERS, endAttempts, SECONDS, wasThrottled } from './finish-statement.js';
import type { AttemptEnd } from './finish-statement.js';

const WORKER = `$${AFTER_END_PARAMETERS}::uuid`;
/** Like these, the arrays are read through subqueries (see `arrayParameters`). */
const CAP = `(SELECT $${AFTER_END_PARAMETERS + 1}::int)`;
const TENANTS = arrayParameters(AFTER_END_PARAMETERS + 2, 'uuid', 'int');

/** How many more runs than needed the statement looks at, because other workers may claim some of them meanwhile. */
const SPARE = 20;

/**
 * How many slots a tenant may have in this form. PostgreSQL assumes that a limit which it does not know cuts a tenth of
 * the rows, and reads all runs for that. A constant beside it keeps its estimate small however many runs wait.
 */
const MOST_SLOTS = 100;

/**
 * The exchange in its most frequent form: runs end for good, and at most as many runs of their tenants begin. So the
 * slot count of no tenant grows, and neither does that of a limited job, because the statement changes nothing, and
 * returns no row, if a run that would begin has a limited job, or if a job listens to ends of runs. Then `exchange_runs` decides. Initializing its plan,
 * which has many times as many nodes, takes longer than executing this one.
 */
export const EXCHANGE_ENDED = prepared(
  'exchange_runs_that_ended',
  `
  WITH offered AS MATERIALIZED (
    SELECT * FROM unnest(${TENANTS}) AS offered (tenant_id, slots)
  ), candidate AS MATERIALIZED (
    SELECT next.* FROM offered CROSS JOIN LATERAL (
      SELECT run.* FROM (
        SELECT id FROM (
          SELECT id FROM runs WHERE runs.tenant_id = offered.tenant_id AND throttled AND NOT throttled_by_job
            AND ${IS_IN_TIME}
          ORDER BY ${IN_TURN} LIMIT offered.slots + CASE WHEN offered.slots > 0 THEN ${SPARE} ELSE 0 END
        ) first LIMIT ${MOST_SLOTS + SPARE} OFFSET 0
      ) first_in_turn CROSS JOIN LATERAL (
        SELECT runs.id, runs.tenant_id, runs.job_id, runs.status, runs.priority, runs.due_at
        FROM (SELECT * FROM runs WHERE runs.id = first_in_turn.id OFFSET 0) runs
        WHERE ${IS_WAITING} AND runs.throttled AND runs.due_at <= now() AND ${IS_IN_TIME}
        FOR UPDATE SKIP LOCKED
      ) run
      LIMIT offered.slots
    ) next
  ), simple AS MATERIALIZED (
    SELECT WHERE NOT EXISTS (
      SELECT FROM offered
      WHERE (SELECT running <= ${CAP} FROM tenant_concurrency WHERE tenant_id = offered.tenant_id) IS NOT TRUE
        OR ${anyRun('runs.tenant_id = offered.tenant_id AND throttled AND throttled_by_job')}
        OR ${anyListensToEnds('offered.tenant_id')}
    ) AND NOT EXISTS (
      SELECT FROM candidate
      WHERE (SELECT max_concurrent_runs FROM jobs
             WHERE jobs.tenant_id = candidate.tenant_id AND jobs.id = candidate.job_id) IS NOT NULL
    )
  ), ${endAttempts('SKIP LOCKED', 'EXISTS (TABLE simple)')}, claimed AS (${claim(
    `(SELECT * FROM (SELECT candidate.*, row_number() OVER (PARTITION BY tenant_id ORDER BY ${IN_TURN}) AS place FROM candidate) AS candidate
      WHERE place <= (SELECT count(*) FROM ended WHERE keeps_slot AND tenant_id = candidate.tenant_id))`,
    WORKER,
    `, ${isUnclaimed('next.status')} AS is_first`,
  )}
  ), new_attempt AS (
    INSERT INTO run_attempts (run_id, number, started_at) SELECT id, attempt, now() FROM claimed
  ), change AS MATERIALIZED (
    SELECT tenant_id, job_id, sum(runs)::int AS runs, count(*) FILTER (WHERE is_first)::int AS starting,
           coalesce(sum(payload_bytes) FILTER (WHERE is_first), 0) AS starting_bytes
    FROM (SELECT tenant_id, job_id, -1 AS runs, false AS is_first, 0 AS payload_bytes FROM ended
          UNION ALL SELECT tenant_id, job_id, 1, is_first, payload_bytes FROM claimed) each
    GROUP BY tenant_id, job_id
  ), tenant AS (
    SELECT tenant.tenant_id, of_tenant.runs, of_tenant.starting, of_tenant.starting_bytes
    FROM (SELECT tenant_id, sum(runs) AS runs, sum(starting) AS starting, sum(starting_bytes) AS starting_bytes
          FROM change GROUP BY tenant_id) of_tenant
      JOIN tenant_concurrency tenant USING (tenant_id)
    ORDER BY tenant.tenant_id FOR UPDATE OF tenant
  ), slot AS (
    UPDATE tenant_concurrency slot SET
      running = running + tenant.runs, started_runs = started_runs + tenant.starting,
      started_bytes = started_bytes + tenant.starting_bytes
    FROM tenant WHERE slot.tenant_id = tenant.tenant_id
    RETURNING slot.tenant_id, throttled_at
  ), fewer AS (
    UPDATE job_concurrency SET running = running + change.runs FROM change JOIN slot USING (tenant_id)
    WHERE job_concurrency.tenant_id = change.tenant_id AND job_concurrency.job_id = change.job_id AND change.runs < 0
  ), more AS (
    INSERT INTO job_concurrency AS counted (tenant_id, job_id, running)
    SELECT tenant_id, job_id, runs FROM change JOIN slot USING (tenant_id) WHERE runs > 0 ORDER BY tenant_id, job_id
    ON CONFLICT (tenant_id, job_id) DO UPDATE SET running = counted.running + EXCLUDED.running
  ), logged_start AS (${logStarted('claimed')}), rest AS MATERIALIZED (
    SELECT tenant_id, ${wasThrottled('slot')}
      OR ${anyRun('runs.tenant_id = slot.tenant_id AND throttled AND NOT throttled_by_job')} AS may_pass_on
    FROM slot
  )
  SELECT 'ended' AS kind, id, fence, tenant_id AS "tenantId", job_id AS "jobId", status, ${SECONDS}, 0 AS "fairShareOrder",
         may_pass_on AS "mayPassOn",
         NULL AS handler, NULL AS "timeoutMs", NULL AS "retryBackoff", NULL AS trigger, NULL AS payload, NULL AS attempt,
         NULL AS failures, NULL AS "maxAttempts", NULL AS "scheduledFor", NULL AS "traceParent",
         NULL AS "dueAt"
  FROM ended JOIN rest USING (tenant_id)
  UNION ALL
  SELECT 'claimed', id, fence, tenant_id, job_id, NULL, NULL, NULL, NULL, handler, timeout_ms, retry_backoff, trigger,
         payload::text, attempt, failures, max_attempts, scheduled_for, trace_parent, due_at
  FROM claimed`,
);

/**
 * For each tenant of the ends, how many of its slots stay with it. Null if an end is not the end of its run, or if there
 * are more ends than this form takes.
 *
 * @param keepsSlot for each end, whether another run of the tenant is claimed after it
 */
export function slotsOfEnded(
  ends: readonly AttemptEnd[],
  keepsSlot: readonly boolean[],
): ReadonlyMap<TenantId, number> | null {
  if (ends.length === 0 || ends.length > MOST_SLOTS || !ends.every((end) => isFinal(statusAfter(end.event))))
    return null;
  const slots = new Map<TenantId, number>();
  for (const [place, { tenantId }] of ends.entries())
    slots.set(tenantId, (slots.get(tenantId) ?? 0) + (keepsSlot[place] === true ? 1 : 0));
  return slots;
}
