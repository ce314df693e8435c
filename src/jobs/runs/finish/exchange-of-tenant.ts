import { prepared } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';
import { claim } from '../model/claim-statement.js';
import { logStarted } from '../model/run-log-lines.js';
import { isFinal, statusAfter } from '../model/run-status.js';
import { isUnclaimed } from '../model/status-sql.js';
import { IS_WAITING } from '../model/waiting-run.js';
import { AFTER_END_PARAMETERS, endAttempts, SECONDS, wasThrottled } from './finish-statement.js';
import type { AttemptEnd } from './finish-statement.js';

const WORKER = `$${AFTER_END_PARAMETERS}::uuid`;
/** Like these, the arrays are read through subqueries (see `arrayParameters`). */
const CAP = `(SELECT $${AFTER_END_PARAMETERS + 1}::int)`;
const TENANT = `(SELECT $${AFTER_END_PARAMETERS + 2}::uuid)`;
const SLOTS = `(SELECT $${AFTER_END_PARAMETERS + 3}::int)`;

/** How many more runs than needed the statement looks at, because other workers may claim some of them meanwhile. */
const SPARE = 20;

/**
 * The exchange in its most frequent form: runs of one tenant end for good, and at most as many of its runs begin. So
 * the tenant's slot count does not grow, and neither does that of a limited job, because the statement changes nothing,
 * and returns no row, if a run that would begin has a limited job. Then `exchange_runs` decides. Initializing its plan,
 * which has five times as many nodes, takes longer than executing this one.
 */
export const EXCHANGE_OF_TENANT = prepared(
  'exchange_runs_of_tenant',
  `
  WITH candidate AS MATERIALIZED (
    SELECT run.* FROM (
      SELECT id FROM runs WHERE tenant_id = ${TENANT} AND throttled AND NOT throttled_by_job
      ORDER BY due_at LIMIT ${SLOTS} + CASE WHEN ${SLOTS} > 0 THEN ${SPARE} ELSE 0 END OFFSET 0
    ) longest_due CROSS JOIN LATERAL (
      SELECT runs.id, runs.job_id, runs.status
      FROM (SELECT * FROM runs WHERE runs.id = longest_due.id OFFSET 0) runs
      WHERE ${IS_WAITING} AND runs.throttled AND runs.due_at <= now()
      FOR UPDATE SKIP LOCKED
    ) run
    LIMIT ${SLOTS}
  ), simple AS MATERIALIZED (
    SELECT FROM tenant_concurrency
    WHERE tenant_id = ${TENANT} AND running <= ${CAP}
      AND NOT EXISTS (SELECT FROM runs WHERE tenant_id = ${TENANT} AND throttled AND throttled_by_job)
      AND NOT EXISTS (SELECT FROM candidate JOIN jobs ON jobs.tenant_id = ${TENANT} AND jobs.id = candidate.job_id
                      WHERE jobs.max_concurrent_runs IS NOT NULL)
  ), ${endAttempts('SKIP LOCKED', 'EXISTS (TABLE simple)')}, claimed AS (${claim(
    '(SELECT * FROM candidate LIMIT (SELECT count(*) FROM ended WHERE keeps_slot))',
    WORKER,
    `, ${isUnclaimed('next.status')} AS is_first`,
  )}
  ), new_attempt AS (
    INSERT INTO run_attempts (run_id, number, started_at) SELECT id, attempt, now() FROM claimed
  ), slot AS (
    UPDATE tenant_concurrency SET
      running = running - before.count + after.count, started_runs = started_runs + after.starting,
      started_bytes = started_bytes + after.starting_bytes
    FROM (SELECT count(*)::int AS count FROM ended) before,
         (SELECT count(*)::int AS count, count(*) FILTER (WHERE is_first) AS starting,
                 coalesce(sum(payload_bytes) FILTER (WHERE is_first), 0) AS starting_bytes FROM claimed) after
    WHERE tenant_id = ${TENANT} AND before.count > 0
    RETURNING throttled_at
  ), change AS (
    SELECT tenant_id, job_id, sum(runs)::int AS runs
    FROM (SELECT tenant_id, job_id, -1 AS runs FROM ended UNION ALL SELECT tenant_id, job_id, 1 FROM claimed) each, slot
    GROUP BY tenant_id, job_id HAVING sum(runs) <> 0
  ), fewer AS (
    UPDATE job_concurrency SET running = running + change.runs FROM change
    WHERE job_concurrency.tenant_id = change.tenant_id AND job_concurrency.job_id = change.job_id AND change.runs < 0
  ), more AS (
    INSERT INTO job_concurrency AS counted (tenant_id, job_id, running)
    SELECT tenant_id, job_id, runs FROM change WHERE runs > 0 ORDER BY job_id
    ON CONFLICT (tenant_id, job_id) DO UPDATE SET running = counted.running + EXCLUDED.running
  ), logged_start AS (${logStarted('claimed')})
  SELECT 'ended' AS kind, id, fence, tenant_id AS "tenantId", job_id AS "jobId", status, ${SECONDS}, 0 AS "fairShareOrder",
         ${wasThrottled('slot')} OR EXISTS (SELECT FROM runs WHERE tenant_id = ${TENANT} AND throttled AND NOT throttled_by_job)
           AS "mayPassOn",
         NULL AS handler, NULL AS "timeoutMs", NULL AS "retryBackoff", NULL AS trigger, NULL AS payload, NULL AS attempt,
         NULL AS failures, NULL AS "maxAttempts", NULL AS "scheduledFor", NULL AS "traceParent"
  FROM ended, slot
  UNION ALL
  SELECT 'claimed', id, fence, tenant_id, job_id, NULL, NULL, NULL, NULL, handler, timeout_ms, retry_backoff, trigger,
         payload::text, attempt, failures, max_attempts, scheduled_for, trace_parent
  FROM claimed`,
);

/** The tenant of ends that all end a run for good; null if there are several tenants or other ends. */
export function tenantOfEnded(ends: readonly AttemptEnd[]): TenantId | null {
  const tenantId = ends[0]?.tenantId ?? null;
  const isSimple = ends.every((end) => end.tenantId === tenantId && isFinal(statusAfter(end.event)));
  return isSimple ? tenantId : null;
}
