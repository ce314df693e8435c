import { prepared } from '../../../platform/database/index.js';

/**
 * Calls `exchange_runs_1`, which a migration defines. A function in the database has a version in its name: releases that run
 * side by side may call different ones, and a migration of a later release drops the older.
 */
export const EXCHANGE = prepared(
  'exchange_runs',
  `
  SELECT kind, (run).id, (run).tenant_id AS "tenantId", (run).job_id AS "jobId", (run).status, (run).fence, (run).attempt,
         (run).failures, (run).max_attempts AS "maxAttempts", (run).priority, (run).due_at AS "dueAt",
         (run).start_before AS "startBefore", (run).created_at AS "createdAt", (run).started_at AS "startedAt",
         extract(epoch FROM (run).completed_at - (run).started_at)::float8 AS seconds, reached,
         is_waiting AS "isWaiting", has_room AS "hasRoom", has_blocked AS "hasBlocked", given_id AS "givenId", wait_ms AS "waitMs",
         (run).handler, (run).timeout_ms AS "timeoutMs",
         (run).retry_backoff AS "retryBackoff", (run).acts_as_caller AS "actsAsCaller", (run).permissions, (run).trigger,
         (run).payload::text, (run).scheduled_for AS "scheduledFor", (run).retry_of AS "retryOf",
         (run).trace_parent AS "traceParent"
  FROM exchange_runs_1($1, $2, $3, $4, $5, $6, $7, $8)`,
);

/**
 * Accepts a run and begins its first attempt, if no other run of its tenant waits but for retries that are not due, its tenant has
 * a free slot, and its job no limit. Otherwise it changes nothing and returns no row, and the exchange decides. A single run takes a
 * third of the time of an exchange: this has no part that it could do without.
 *
 * The job is locked before the tenant, as deletions lock them. The snapshot is older than these locks: only the lock tells of a
 * job whose deletion has committed since. One that is being deleted is left to the exchange, too.
 */
export const BEGIN_RUN = prepared(
  'begin_run',
  `
  WITH job AS MATERIALIZED (
    SELECT * FROM jobs
    WHERE tenant_id = $2::uuid AND id = $3 AND max_concurrent_runs IS NULL AND concurrency IS NULL AND rate IS NULL
      AND debounce IS NULL AND NOT paused
    FOR KEY SHARE SKIP LOCKED
  ), tenant AS (
    UPDATE tenant_queues SET running = running + 1 FROM job
    WHERE tenant_queues.tenant_id = job.tenant_id AND running < $11::int AND queued = 0
      AND (retrying = 0 OR NOT EXISTS (SELECT FROM runs_in_turn(tenant_queues.tenant_id, tenant_queues.due_from, now(), 1)))
    RETURNING tenant_queues.tenant_id
  ), begun AS (
    INSERT INTO runs_active (
      id, tenant_id, job_id, status, trigger, payload, payload_bytes, handler, timeout_ms, retry_backoff, acts_as_caller,
      permissions, priority, attempt, max_attempts, fence, worker_id, due_at, start_before, scheduled_for, started_at,
      attempt_started_at, retry_of, trace_parent, of_open_job, queued_line, started_line)
    SELECT
      $1, tenant_id, job.id, 'running', $4::jsonb, $5::json, $6::int, job.handler, job.timeout_ms, job.retry_backoff,
      job.acts_as_caller, job.permissions, coalesce($7::int, job.priority), 1, job.retries + 1, 1, $12::uuid, now(),
      now() + make_interval(secs => job.start_within_ms::float8 / 1000), $8::timestamptz, now(), now(), $9, $10,
      job.invocable_by IS NOT DISTINCT FROM 'authenticated', nextval('run_logs_id_seq'), nextval('run_logs_id_seq')
    FROM tenant JOIN job USING (tenant_id)
    RETURNING *
  ), changed AS (
    INSERT INTO run_changes (last_line, first_line, tenant_id, at, run_ids, job_ids, levels)
    SELECT started_line, queued_line, tenant_id, created_at, ARRAY[id], ARRAY[job_id], '{info}' FROM begun
  )
  SELECT id, tenant_id AS "tenantId", job_id AS "jobId", fence, attempt, failures, max_attempts AS "maxAttempts", priority,
         due_at AS "dueAt", start_before AS "startBefore", created_at AS "createdAt", handler, timeout_ms AS "timeoutMs",
         retry_backoff AS "retryBackoff", acts_as_caller AS "actsAsCaller", permissions, trigger, scheduled_for AS "scheduledFor",
         retry_of AS "retryOf", trace_parent AS "traceParent"
  FROM begun`,
);
