import { arrayParameters, prepared } from '../../../platform/database/index.js';
import { claimOfNew, DECIDE, NONE_FREED } from '../model/claim-statement.js';
import { RUN_COLUMNS } from '../model/run.repository.js';
import { logAccepted } from '../model/run-log-lines.js';
import { recordAccepted } from '../model/run-stats-sql.js';
import { slotsOfTenant } from '../model/slots-of-tenant.js';
import { NEW_STATUS } from '../model/status-sql.js';
import { anyRun, fairShareOrder, IS_WAITING } from '../model/waiting-run.js';
import { addWaiting, waitingOf } from './waiting-count.repository.js';

/**
 * How many runs of a tenant may be in the workers' queue at once. A longer queue makes each addition to it slower.
 */
const MAX_AHEAD = 200;
/** For a delayed run: runs of its tenant that are due up to this many seconds before it count as ahead of it. */
const QUEUE_SECS = 60;

/** In SQL: how many waiting runs of the tenant meet a condition, counted only up to the number that matters. */
function countWaiting(tenantId: string, condition: string): string {
  return `(SELECT count(*) FROM (
    SELECT FROM runs WHERE runs.tenant_id = ${tenantId} AND ${IS_WAITING} AND NOT runs.throttled_by_job AND ${condition}
    LIMIT ${MAX_AHEAD}) waiting)`;
}

const ARRIVING = arrayParameters(
  1,
  ...[
    'text',
    'uuid',
    'text',
    'jsonb',
    'json',
    'float8',
    'timestamptz',
    'text',
    'text',
    'int',
    'int',
    'bigint',
    'timestamptz',
    'int',
  ],
);

/**
 * In SQL: `wanted`, the arriving runs that their jobs accept, with what they need from the job.
 *
 * @param whenLocked for jobs that are being deleted: empty to wait for the deletion, or `SKIP LOCKED` to leave out
 * their runs
 */
function wanted(whenLocked: '' | 'SKIP LOCKED'): string {
  return `wanted AS (
    SELECT new.*, job.handler, job.timeout_ms, job.retry_backoff, job.retries, due.at AS due_at,
           due.at + make_interval(secs => job.start_within_ms::float8 / 1000) AS start_before,
           coalesce(new.given_priority, job.priority) AS priority
    FROM unnest(${ARRIVING})
         AS new (id, tenant_id, job_id, trigger, payload, delay_ms, scheduled_for, retry_of, trace_parent,
                 payload_bytes, runs_with_it, bytes_with_it, run_at, given_priority)
    JOIN jobs job ON job.tenant_id = new.tenant_id AND job.id = new.job_id
    CROSS JOIN LATERAL (
      SELECT coalesce(new.run_at, now() + make_interval(secs => new.delay_ms / 1000)) AS at
    ) due
    WHERE NOT job.paused OR new.trigger ->> 'type' = 'manual' OR new.retry_of IS NOT NULL
    ORDER BY job.tenant_id, job.id, new.id
    FOR KEY SHARE OF job ${whenLocked}
  )`;
}

/** In SQL: the quota of waiting runs that a run of `wanted` reaches, null for none, given the `waiting` of its tenant. */
const REACHED = `
  CASE WHEN $15::bigint > 0 AND waiting_runs + runs_with_it > $15 THEN 'waitingRuns'
       WHEN $16::bigint > 0 AND waiting_bytes + bytes_with_it > $16 THEN 'waitingPayloadBytes' END`;

/** In SQL: the columns of `runs` that a run is accepted with, beside those that depend on whether it starts. */
const NEW_COLUMNS = `
  id, tenant_id, job_id, trigger, payload, handler, timeout_ms, retry_backoff, due_at, scheduled_for, retry_of,
  trace_parent, payload_bytes, priority, start_before`;

const PLACED_COLUMNS = `${RUN_COLUMNS}, tenant_id AS "tenantId", fence, throttled,
         ${fairShareOrder('due_at', 'place.ahead')} AS "fairShareOrder", place.reached, place.placed_id AS "placedId"`;

export const INSERT_RUNS = prepared(
  'insert_runs',
  `
  WITH ${wanted('')}, numbered AS (
    SELECT wanted.*, row_number() OVER (PARTITION BY wanted.tenant_id ORDER BY wanted.id) AS nth FROM wanted
  ), of_tenant AS (
    SELECT numbered.*, max(tenant.busy) OVER same_tenant AS busy, max(tenant.runs) OVER same_tenant AS waiting_runs,
      max(tenant.bytes) OVER same_tenant AS waiting_bytes
    FROM numbered LEFT JOIN LATERAL (
      SELECT ${countWaiting('numbered.tenant_id', 'runs.due_at <= now()')} + coalesce(
        (SELECT running - deferred FROM tenant_concurrency WHERE tenant_concurrency.tenant_id = numbered.tenant_id), 0) AS busy,
        waiting.runs, waiting.bytes
      FROM (${waitingOf('numbered.tenant_id')}) waiting
      WHERE numbered.nth = 1 OFFSET 0
    ) tenant ON true
    WINDOW same_tenant AS (PARTITION BY numbered.tenant_id)
  ), placed AS (
    SELECT of_tenant.*, CASE WHEN of_tenant.delay_ms > 0
        THEN count(*) OVER (PARTITION BY of_tenant.tenant_id, of_tenant.delay_ms > 0 ORDER BY of_tenant.due_at
                            RANGE BETWEEN '${QUEUE_SECS} s' PRECEDING AND CURRENT ROW) - 1 + ${countWaiting(
                              'of_tenant.tenant_id',
                              `runs.due_at BETWEEN of_tenant.due_at - make_interval(secs => ${QUEUE_SECS}) AND of_tenant.due_at`,
                            )}
        ELSE row_number() OVER (PARTITION BY of_tenant.tenant_id, of_tenant.delay_ms > 0 ORDER BY of_tenant.id) - 1
             + busy END AS ahead,
      ${REACHED} AS reached
    FROM of_tenant
  ), inserted AS (
    INSERT INTO runs (${NEW_COLUMNS}, status, max_attempts, throttled)
    SELECT ${NEW_COLUMNS}, ${NEW_STATUS}, retries + 1, delay_ms = 0 AND ahead >= ${MAX_AHEAD}
    FROM placed WHERE reached IS NULL
    RETURNING *
  ), counted AS (${addWaiting(
    'SELECT tenant_id, count(*) AS runs, sum(payload_bytes) AS payload_bytes FROM inserted GROUP BY tenant_id',
  )}), logged AS (${logAccepted('inserted')}), recorded AS (${recordAccepted('inserted')})
  SELECT ${PLACED_COLUMNS}
  FROM (SELECT id AS placed_id, ahead, reached FROM placed) place LEFT JOIN inserted ON inserted.id = place.placed_id`,
);

/**
 * Like `INSERT_RUNS`, and locks the slot counts of the tenants. So it knows how many runs of a tenant are under way,
 * running or woken: each of them passes on its slot when it ends, so the runs that exceed the tenant's slots need no
 * wake-up.
 *
 * It gives up on a lock after a moment, because the runs of other tenants are in the same statement.
 *
 * @param begin the queries from `candidate` to `inserted`
 * @param begun the query with those of `inserted` that begin, if any
 * @param running how many runs of a tenant run after the statement, given `busy` of each
 */
function acceptStatement(begin: string, begun: string | null, running: string): string {
  return `
  WITH ${wanted('SKIP LOCKED')}, tenant AS (
    SELECT tenant_id, running - deferred AS running, $17 - running AS free, 0 AS freed FROM tenant_concurrency
    WHERE (SELECT set_config('lock_timeout', $18::text, true)) IS NOT NULL
      AND tenant_id IN (SELECT tenant_id FROM wanted)
    ORDER BY tenant_id FOR UPDATE
  ), busy AS (
    SELECT tenant.tenant_id, tenant.running, waiting.runs AS waiting_runs, waiting.bytes AS waiting_bytes,
      tenant.running + (SELECT count(*) FROM runs WHERE runs.tenant_id = tenant.tenant_id AND ${IS_WAITING}
                          AND NOT runs.throttled AND runs.due_at <= now()) AS under_way,
      ${anyRun(`runs.tenant_id = tenant.tenant_id AND ${IS_WAITING} AND NOT runs.throttled_by_job AND runs.due_at <= now()`)} AS has_waiting
    FROM tenant CROSS JOIN LATERAL (${waitingOf('tenant.tenant_id')}) waiting
  ), placed AS (
    SELECT wanted.*, has_waiting, coalesce(under_way, 0) + row_number() OVER (
             PARTITION BY tenant_id, delay_ms > 0 ORDER BY id
           ) - 1 AS ahead, ${REACHED} AS reached
    FROM wanted LEFT JOIN busy USING (tenant_id)
  ), ${begin}, slot AS (
    UPDATE tenant_concurrency SET
      running = running + arrived.begun,
      throttled_at = CASE WHEN arrived.any_throttled THEN clock_timestamp() ELSE throttled_at END
    FROM (
      SELECT tenant_id, count(worker_id)::int AS begun, bool_or(throttled) AS any_throttled
      FROM inserted GROUP BY tenant_id
    ) arrived
    WHERE tenant_concurrency.tenant_id = arrived.tenant_id AND (arrived.begun > 0 OR arrived.any_throttled)
  ), counted AS (${addWaiting(
    `SELECT tenant_id, count(*) AS runs, sum(payload_bytes) AS payload_bytes FROM inserted
     WHERE worker_id IS NULL GROUP BY tenant_id`,
  )}), logged AS (${logAccepted('inserted', begun)}), recorded AS (${recordAccepted('inserted')})
  SELECT ${PLACED_COLUMNS}, throttled AND now_busy.running < ${slotsOfTenant('$17', '$19')} AS "mayBeFree",
         worker_id IS NOT NULL AS "isStarted", handler, timeout_ms AS "timeoutMs",
         retry_backoff AS "retryBackoff", trace_parent AS "traceParent"
  FROM (SELECT id AS placed_id, tenant_id AS of_tenant, ahead, reached FROM placed) place
    LEFT JOIN inserted ON inserted.id = place.placed_id
    LEFT JOIN (${running}) now_busy USING (of_tenant)`;
}

/** In SQL: whether a run that does not begin needs no wake-up, because so many are ahead. */
const IS_FAR_BEHIND = `ahead >= least(${slotsOfTenant('$17', '$19')}, ${MAX_AHEAD})`;

export const ACCEPT_RUNS = prepared(
  'accept_runs',
  acceptStatement(
    `inserted AS (
    INSERT INTO runs (${NEW_COLUMNS}, max_attempts, status, throttled)
    SELECT ${NEW_COLUMNS}, retries + 1, ${NEW_STATUS}, delay_ms = 0 AND ${IS_FAR_BEHIND}
    FROM placed WHERE reached IS NULL
    RETURNING *
  )`,
    null,
    'SELECT tenant_id AS of_tenant, running FROM busy',
  ),
);

/**
 * Like `ACCEPT_RUNS`, and claims the runs for which this process has reserved a slot, if their tenant and job have a
 * free one and no run of the tenant is due before them.
 */
export const ACCEPT_AND_CLAIM_RUNS = prepared(
  'accept_and_claim_runs',
  acceptStatement(
    `${NONE_FREED}, candidate AS (
    SELECT id, tenant_id, job_id, priority, due_at, ${NEW_STATUS} AS status, payload_bytes
    FROM placed JOIN (SELECT unnest(${arrayParameters(20, 'text')}) AS id) reserved USING (id)
    WHERE delay_ms = 0 AND reached IS NULL AND NOT has_waiting
      AND NOT ${anyRun(`runs.tenant_id = placed.tenant_id AND runs.job_id = placed.job_id
                          AND runs.throttled AND runs.throttled_by_job`)}
  ), ${DECIDE}, inserted AS (
    INSERT INTO runs (${NEW_COLUMNS}, max_attempts, status, worker_id, fence, attempt, started_at, throttled, throttled_by_job)
    SELECT ${qualified(NEW_COLUMNS, 'placed')}, retries + 1, ${claimOfNew('decision.enters', '$21')},
           delay_ms = 0 AND enters IS NOT TRUE AND (${IS_FAR_BEHIND} OR is_of_full_job),
           delay_ms = 0 AND enters IS NOT TRUE AND is_of_full_job
    FROM placed LEFT JOIN decision ON decision.id = placed.id
      CROSS JOIN LATERAL (SELECT coalesce(decision.tenant_has_slot AND NOT decision.enters, false) AS is_of_full_job) job
    WHERE reached IS NULL
    RETURNING *
  ), begun AS (
    SELECT * FROM inserted WHERE worker_id IS NOT NULL
  ), new_attempt AS (
    INSERT INTO run_attempts (run_id, number, started_at) SELECT id, attempt, started_at FROM begun
  )`,
    'begun',
    `SELECT tenant_id AS of_tenant, busy.running + coalesce(sum(entering.count), 0) AS running
     FROM busy LEFT JOIN entering USING (tenant_id) GROUP BY tenant_id, busy.running`,
  ),
);

function qualified(columns: string, table: string): string {
  return columns
    .split(',')
    .map((column) => `${table}.${column.trim()}`)
    .join(', ');
}
