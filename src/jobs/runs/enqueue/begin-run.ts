import { prepared } from '../../../platform/database/index.js';
import { logAccepted } from '../model/run-log-lines.js';
import { recordAccepted } from '../model/run-stats-sql.js';
import { RUN_COLUMNS } from '../model/run.repository.js';
import { statusSetBy } from '../model/status-sql.js';
import { anyRun, IS_WAITING } from '../model/waiting-run.js';
import { waitingOf } from './waiting-count.repository.js';

/**
 * `accept_runs` for a single run that can begin at once. If it cannot, for whatever reason, the statement changes
 * nothing and returns no row; then `accept_runs` decides. Initializing its plan, which has five times as many nodes,
 * takes longer than executing this one. A job's limit is at least 1, so the first run of a job fits.
 */
export const BEGIN_RUN = prepared(
  'begin_run',
  `
  WITH new AS MATERIALIZED (
    SELECT $1::text AS id, $2::uuid AS tenant_id, $3::text AS job_id, $4::jsonb AS trigger, $5::json AS payload,
           $6::timestamptz AS scheduled_for, $7::text AS retry_of, $8::text AS trace_parent, $9::int AS payload_bytes,
           $14::int AS given_priority
  ), accepted AS (
    SELECT new.*, job.handler, job.timeout_ms, job.retry_backoff, job.retries, job.max_concurrent_runs,
           coalesce(new.given_priority, job.priority) AS priority,
           now() + make_interval(secs => job.start_within_ms::float8 / 1000) AS start_before
    FROM new JOIN jobs job ON job.tenant_id = new.tenant_id AND job.id = new.job_id
    WHERE NOT job.paused OR new.trigger ->> 'type' = 'manual' OR new.retry_of IS NOT NULL
    FOR KEY SHARE OF job SKIP LOCKED
  ), starting AS (
    SELECT accepted.*
    FROM accepted JOIN tenant_concurrency tenant ON tenant.tenant_id = accepted.tenant_id
      CROSS JOIN LATERAL (${waitingOf('accepted.tenant_id')}) waiting
    WHERE (SELECT set_config('lock_timeout', $15::text, true)) IS NOT NULL
      AND tenant.running < (SELECT $10::int)
      AND ($11::bigint = 0 OR waiting.runs < $11) AND ($12::bigint = 0 OR waiting.bytes + accepted.payload_bytes <= $12)
      AND NOT ${anyRun(`runs.tenant_id = accepted.tenant_id AND ${IS_WAITING}
                          AND NOT runs.throttled_by_job AND runs.due_at <= now()`)}
      AND NOT ${anyRun(`runs.tenant_id = accepted.tenant_id AND runs.job_id = accepted.job_id
                          AND runs.throttled AND runs.throttled_by_job`)}
    FOR UPDATE OF tenant
  ), slot_of_job AS (
    INSERT INTO job_concurrency AS slot (tenant_id, job_id, running)
    SELECT tenant_id, job_id, 1 FROM starting
    ON CONFLICT (tenant_id, job_id) DO UPDATE SET running = slot.running + 1
      WHERE (slot.running < (SELECT max_concurrent_runs FROM starting)) IS NOT FALSE
    RETURNING slot.tenant_id
  ), slot AS (
    UPDATE tenant_concurrency SET running = running + 1 FROM slot_of_job
    WHERE tenant_concurrency.tenant_id = slot_of_job.tenant_id
  ), begun AS (
    INSERT INTO runs (
      id, tenant_id, job_id, trigger, payload, scheduled_for, retry_of, trace_parent, payload_bytes, handler, timeout_ms,
      retry_backoff, max_attempts, priority, start_before, due_at, status, worker_id, fence, attempt, started_at)
    SELECT id, tenant_id, job_id, trigger, payload, scheduled_for, retry_of, trace_parent, payload_bytes, handler,
           timeout_ms, retry_backoff, retries + 1, priority, start_before, now(), ${statusSetBy('claimed')}, $13::uuid, 1, 1, now()
    FROM starting JOIN slot_of_job USING (tenant_id)
    RETURNING *
  ), new_attempt AS (
    INSERT INTO run_attempts (run_id, number, started_at) SELECT id, attempt, started_at FROM begun
  ), logged AS (${logAccepted('begun', 'begun')}), recorded AS (${recordAccepted('begun')})
  SELECT ${RUN_COLUMNS}, tenant_id AS "tenantId", fence, throttled, 0 AS "fairShareOrder", NULL AS reached, id AS "placedId",
         false AS "mayBeFree", true AS "isStarted", handler, timeout_ms AS "timeoutMs", retry_backoff AS "retryBackoff",
         trace_parent AS "traceParent"
  FROM begun`,
);
