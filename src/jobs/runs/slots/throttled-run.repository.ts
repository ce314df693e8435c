import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { arrayParameters, prepared, rows } from '../../../platform/database/index.js';
import type { AutoCommit } from '../../../platform/database/index.js';
import type { FreedSlot } from '../model/waiting-run.js';
import { IN_TURN, IS_IN_TIME, IS_WAITING, JOB_HAS_FREE_SLOT, fairShareOrder } from '../model/waiting-run.js';
import { slotsOfTenant } from '../model/slots-of-tenant.js';
import type { WakeableRun } from '../model/waiting-run.js';

/** What a sweep found out about a waiting run. */
export interface SweptRun extends WakeableRun {
  /**
   * `overdue`: its wake-up may be lost. `unthrottled`: it was throttled, and there is a free slot now. `throttled`:
   * there was no free slot when the sweep looked. `expired`: its attempt is deferred, and nothing was heard of it; only one
   * of these is found, which says that there are some.
   */
  readonly finding: 'overdue' | 'unthrottled' | 'throttled' | 'expired';
}

/** At most this many runs per tenant and job are moved by one sweep. */
const SWEEP_BATCH = 1000;

/**
 * In SQL: the runs of a tenant that its `free` slots go to. First come those that have their wake-up already, then the
 * throttled ones in their turn.
 */
function next(tenantId: string, free: string): string {
  const most = `LIMIT greatest(${free}, 0)`;
  return `
    SELECT waiting.id, waiting.throttled, row_number() OVER (ORDER BY throttled, ${IN_TURN}) AS place FROM (
      (SELECT runs.id, runs.throttled, runs.priority, runs.due_at FROM runs
       WHERE runs.tenant_id = ${tenantId} AND ${IS_WAITING} AND NOT runs.throttled AND runs.due_at <= now()
         AND ${IS_IN_TIME} AND ${JOB_HAS_FREE_SLOT}
       ORDER BY runs.due_at ${most})
      UNION ALL
      (SELECT runs.id, runs.throttled, runs.priority, runs.due_at FROM runs
       WHERE runs.tenant_id = ${tenantId} AND runs.throttled AND NOT runs.throttled_by_job
         AND ${IS_IN_TIME} AND ${JOB_HAS_FREE_SLOT}
       ORDER BY ${IN_TURN} ${most})
    ) waiting
    ORDER BY throttled, ${IN_TURN} ${most}`;
}

/** In SQL: the throttled runs of a job that its free slots go to, in their turn. */
function nextOfJob(tenantId: string, jobId: string, free: string): string {
  return `
    SELECT runs.id, runs.throttled, row_number() OVER (ORDER BY ${IN_TURN}) AS place FROM runs
    WHERE runs.tenant_id = ${tenantId} AND runs.job_id = ${jobId} AND runs.throttled AND runs.throttled_by_job
      AND ${IS_IN_TIME}
    ORDER BY ${IN_TURN} LIMIT greatest(least(${free}, (
      SELECT coalesce(jobs.max_concurrent_runs, 2147483647) - job_concurrency.running
      FROM job_concurrency LEFT JOIN jobs ON jobs.tenant_id = job_concurrency.tenant_id AND jobs.id = job_concurrency.job_id
      WHERE job_concurrency.tenant_id = ${tenantId} AND job_concurrency.job_id = ${jobId}
    )), 0)`;
}

/**
 * In SQL: ends the throttling of the runs in `chosen`. A concurrent statement finds them locked and skips them. However
 * many PostgreSQL takes `chosen` for, it looks up each by its id and does not read all runs.
 */
const UNTHROTTLE_CHOSEN = `
  WITH free AS MATERIALIZED (
    SELECT run.id, chosen.place FROM chosen CROSS JOIN LATERAL (
      SELECT id FROM (SELECT * FROM runs WHERE runs.id = chosen.id OFFSET 0) runs
      WHERE chosen.throttled AND runs.throttled FOR UPDATE SKIP LOCKED
    ) run
  )
  UPDATE runs SET throttled = false, throttled_by_job = false
  FROM free
  WHERE runs.id = free.id AND runs.id = ANY (ARRAY(SELECT id FROM free))
  RETURNING runs.id, runs.fence, runs.tenant_id, ${fairShareOrder('now()', 'free.place')} AS "fairShareOrder"`;

const UNTHROTTLED_COLUMNS = 'id, fence, tenant_id AS "tenantId", "fairShareOrder"';

const UNTHROTTLE = prepared(
  'unthrottle_runs',
  `
  WITH slot AS (
    SELECT DISTINCT tenant_id, job_id FROM unnest(${arrayParameters(1, 'uuid', 'text')}) AS freed (tenant_id, job_id)
  ), tenant AS (
    SELECT tenant_id, ${slotsOfTenant('$3', '$4', 'deferred')} - running AS free FROM tenant_concurrency WHERE tenant_id IN (SELECT tenant_id FROM slot)
  ), chosen AS (
    SELECT found.* FROM tenant CROSS JOIN LATERAL (${next('tenant.tenant_id', 'tenant.free')}) found
    UNION ALL
    SELECT found.* FROM slot JOIN tenant USING (tenant_id)
      CROSS JOIN LATERAL (${nextOfJob('slot.tenant_id', 'slot.job_id', 'tenant.free')}) found
  ), unthrottled AS (
    ${UNTHROTTLE_CHOSEN}
  )
  SELECT ${UNTHROTTLED_COLUMNS} FROM unthrottled`,
);

/**
 * Skips from entry to entry in the index: each tenant and each job with a throttled run, without reading the runs
 * between.
 */
const WITH_THROTTLED = `
  throttled_tenant AS (
    (SELECT tenant_id FROM runs WHERE throttled AND NOT throttled_by_job ORDER BY tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT runs.tenant_id FROM runs
            WHERE throttled AND NOT throttled_by_job AND runs.tenant_id > last.tenant_id ORDER BY tenant_id LIMIT 1)
    FROM throttled_tenant last WHERE last.tenant_id IS NOT NULL
  ), throttled_job AS (
    (SELECT tenant_id, job_id FROM runs WHERE throttled AND throttled_by_job ORDER BY tenant_id, job_id LIMIT 1)
    UNION ALL
    SELECT following.tenant_id, following.job_id FROM throttled_job last CROSS JOIN LATERAL (
      SELECT runs.tenant_id, runs.job_id FROM runs
      WHERE throttled AND throttled_by_job AND (runs.tenant_id, runs.job_id) > (last.tenant_id, last.job_id)
      ORDER BY runs.tenant_id, runs.job_id LIMIT 1
    ) following
  )`;

/** In SQL: `slotsOfTenant` in a sweep, of the row of `tenant_concurrency`. */
const SWEPT_SLOTS = 'least($2, (TABLE slot) + tenant_concurrency.deferred)';

const SWEEP = `
  WITH RECURSIVE slot AS MATERIALIZED (SELECT ${slotsOfTenant('$2', '$4')} AS size), ${WITH_THROTTLED}, overdue AS (
    SELECT runs.id, runs.fence, runs.due_at, runs.tenant_id, tenant_concurrency.running < ${SWEPT_SLOTS} AS tenant_has_slot,
           ${JOB_HAS_FREE_SLOT} AS job_has_slot
    FROM runs JOIN tenant_concurrency USING (tenant_id)
    WHERE ${IS_WAITING} AND NOT runs.throttled
      AND runs.due_at < now() - make_interval(secs => $1::float8 / 1000)
    ORDER BY runs.due_at LIMIT $3
  ), without_slot AS (
    UPDATE runs SET throttled = true, throttled_by_job = overdue.tenant_has_slot
    FROM overdue
    WHERE runs.id = overdue.id AND ${IS_WAITING} AND NOT (overdue.tenant_has_slot AND overdue.job_has_slot)
    RETURNING runs.id, runs.fence, runs.tenant_id
  ), blocked_by_job AS (
    UPDATE runs SET throttled_by_job = true
    FROM throttled_tenant CROSS JOIN LATERAL (
      SELECT first.id FROM (
        SELECT runs.id, ${JOB_HAS_FREE_SLOT} AS job_has_slot FROM runs
        WHERE runs.tenant_id = throttled_tenant.tenant_id AND runs.throttled AND NOT runs.throttled_by_job
        ORDER BY ${IN_TURN} LIMIT ${SWEEP_BATCH}
      ) first WHERE NOT first.job_has_slot
    ) moved
    WHERE runs.id = moved.id AND runs.throttled
    RETURNING runs.id, runs.fence, runs.tenant_id
  ), chosen AS (
    SELECT found.* FROM throttled_tenant JOIN tenant_concurrency USING (tenant_id)
      CROSS JOIN LATERAL (${next('tenant_concurrency.tenant_id', `${SWEPT_SLOTS} - tenant_concurrency.running`)}) found
    UNION ALL
    SELECT found.* FROM throttled_job JOIN tenant_concurrency USING (tenant_id) CROSS JOIN LATERAL (
      ${nextOfJob('tenant_concurrency.tenant_id', 'throttled_job.job_id', `${SWEPT_SLOTS} - tenant_concurrency.running`)}
    ) found
  ), unthrottled AS (
    ${UNTHROTTLE_CHOSEN}
  )
  SELECT ${UNTHROTTLED_COLUMNS}, 'unthrottled' AS finding FROM unthrottled
  UNION ALL
  SELECT id, fence, tenant_id, 0, 'throttled' FROM (TABLE without_slot UNION ALL TABLE blocked_by_job) throttled
  UNION ALL
  SELECT id, fence, tenant_id, ${fairShareOrder('due_at', 'row_number() OVER (PARTITION BY tenant_id ORDER BY due_at)')}, 'overdue'
  FROM overdue WHERE tenant_has_slot AND job_has_slot
  UNION ALL
  (SELECT run_id, fence, tenant_id, 0, 'expired' FROM deferred_attempts WHERE expires_at < now() LIMIT 1)`;

/** Waiting runs that no worker would otherwise pick up: they had no free slot, or their wake-up was lost. */
@Injectable()
export class ThrottledRunRepository {
  private readonly deadAfterMs: number;

  constructor(@Inject(CONFIG) { timing }: Config) {
    this.deadAfterMs = timing.workers.deadAfterMs;
  }

  /** Ends the throttling of the runs that slots freed by runs of these tenants and jobs go to. */
  async unthrottle(handle: AutoCommit, slots: readonly FreedSlot[], cap: number): Promise<WakeableRun[]> {
    const [tenantIds, jobIds] = [slots.map((slot) => slot.tenantId), slots.map((slot) => slot.jobId)];
    return await rows<WakeableRun>(handle, UNTHROTTLE, [tenantIds, jobIds, cap, this.deadAfterMs]);
  }

  /**
   * Checks all waiting runs. Finds at most `limit` runs that have been due for more than `overdueMs` without being
   * claimed; throttles those without a free slot, so that the next freed slot wakes them; and ends the throttling of
   * those that have a free slot now.
   */
  async sweep(handle: AutoCommit, overdueMs: number, cap: number, limit: number): Promise<SweptRun[]> {
    return await rows<SweptRun>(handle, SWEEP, [overdueMs, cap, limit, this.deadAfterMs]);
  }
}
