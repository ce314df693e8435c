import { Injectable } from '@nestjs/common';
import { rows } from '../../../platform/database/index.js';
import type { AutoCommit } from '../../../platform/database/index.js';
import type { FreedSlot } from '../model/waiting-run.js';
import { IS_WAITING, JOB_HAS_FREE_SLOT, fairShareOrder } from '../model/waiting-run.js';
import { DEAD_AFTER_MS } from './worker-heartbeat.js';
import type { WakeableRun } from '../model/waiting-run.js';

/** What a sweep found of a waiting run. */
export interface SweptRun extends WakeableRun {
  /** `overdue`: its wake-up may be lost. `called`: it was throttled, and there is capacity. `throttled`: there is none, or was. */
  readonly finding: 'overdue' | 'called' | 'throttled';
}

/** Of each tenant and job, at most so many are moved by one sweep. */
const SWEEP_BATCH = 1000;

/**
 * In SQL: those of a tenant's waiting runs that its capacity is for, `free` many, the longest due. Those of them that
 * are not throttled are on their way already.
 */
function next(tenantId: string, free: string): string {
  return `
    SELECT runs.id, runs.throttled, runs.due_at, row_number() OVER (ORDER BY runs.due_at) AS place FROM runs
    WHERE runs.tenant_id = ${tenantId} AND ${IS_WAITING} AND NOT runs.throttled_by_job AND runs.due_at <= now()
      AND ${JOB_HAS_FREE_SLOT}
    ORDER BY runs.due_at LIMIT greatest(${free}, 0)`;
}

/** In SQL: those of a job's throttled runs that its capacity is for, the longest due. */
function nextOfJob(tenantId: string, jobId: string, free: string): string {
  return `
    SELECT runs.id, runs.throttled, runs.due_at, row_number() OVER (ORDER BY runs.due_at) AS place FROM runs
    WHERE runs.tenant_id = ${tenantId} AND runs.job_id = ${jobId} AND runs.throttled AND runs.throttled_by_job
    ORDER BY runs.due_at LIMIT greatest(least(${free}, (
      SELECT coalesce(jobs.max_concurrent_runs, 2147483647) - job_concurrency.running
      FROM job_concurrency LEFT JOIN jobs ON jobs.tenant_id = job_concurrency.tenant_id AND jobs.id = job_concurrency.job_id
      WHERE job_concurrency.tenant_id = ${tenantId} AND job_concurrency.job_id = ${jobId}
    )), 0)`;
}

/** In SQL: makes throttled runs of `chosen` called ones. The caller that comes second finds them locked, and taken. */
const CALL_CHOSEN = `
  UPDATE runs SET throttled = false, throttled_by_job = false
  FROM (
    SELECT runs.id, chosen.place FROM runs JOIN chosen USING (id)
    WHERE chosen.throttled AND runs.throttled FOR UPDATE OF runs SKIP LOCKED
  ) free
  WHERE runs.id = free.id
  RETURNING runs.id, runs.fence, runs.tenant_id, ${fairShareOrder('now()', 'free.place')} AS "fairShareOrder"`;

const CALLED_COLUMNS = 'id, fence, tenant_id AS "tenantId", "fairShareOrder"';

/**
 * In SQL: how many runs of a tenant all living workers may have at work, by the cap for tenants and by the share of
 * each worker's slots. A worker of an earlier release knows no share.
 */
function slotsOfTenant(cap: string): string {
  return `least(${cap}, coalesce((
    SELECT CASE WHEN bool_and(tenant_slots IS NOT NULL) THEN sum(tenant_slots) END FROM workers
    WHERE heartbeat_at > now() - make_interval(secs => ${DEAD_AFTER_MS / 1000})
  ), ${cap}))::int`;
}

const CALL = `
  WITH slot AS (
    SELECT DISTINCT tenant_id, job_id FROM unnest($1::uuid[], $2::text[]) AS left_room (tenant_id, job_id)
  ), tenant AS (
    SELECT tenant_id, ${slotsOfTenant('$3')} - running AS free FROM tenant_concurrency WHERE tenant_id IN (SELECT tenant_id FROM slot)
  ), chosen AS (
    SELECT found.* FROM tenant CROSS JOIN LATERAL (${next('tenant.tenant_id', 'tenant.free')}) found
    UNION ALL
    SELECT found.* FROM slot JOIN tenant USING (tenant_id)
      CROSS JOIN LATERAL (${nextOfJob('slot.tenant_id', 'slot.job_id', 'tenant.free')}) found
  )
  ${CALL_CHOSEN}`;

/**
 * From index to index entry: each tenant, and each job, that has a throttled run, without reading the runs between.
 */
const WITH_THROTTLED = `
  parked_tenant AS (
    (SELECT tenant_id FROM runs WHERE throttled AND NOT throttled_by_job ORDER BY tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT runs.tenant_id FROM runs
            WHERE throttled AND NOT throttled_by_job AND runs.tenant_id > last.tenant_id ORDER BY tenant_id LIMIT 1)
    FROM parked_tenant last WHERE last.tenant_id IS NOT NULL
  ), throttled_job AS (
    (SELECT tenant_id, job_id FROM runs WHERE throttled AND throttled_by_job ORDER BY tenant_id, job_id LIMIT 1)
    UNION ALL
    SELECT following.tenant_id, following.job_id FROM throttled_job last CROSS JOIN LATERAL (
      SELECT runs.tenant_id, runs.job_id FROM runs
      WHERE throttled AND throttled_by_job AND (runs.tenant_id, runs.job_id) > (last.tenant_id, last.job_id)
      ORDER BY runs.tenant_id, runs.job_id LIMIT 1
    ) following
  )`;

const SWEEP = `
  WITH RECURSIVE slot AS MATERIALIZED (SELECT ${slotsOfTenant('$2')} AS size), ${WITH_THROTTLED}, overdue AS (
    SELECT runs.id, runs.fence, runs.due_at, runs.tenant_id, tenant_concurrency.running < (TABLE slot) AS tenant_has_slot,
           ${JOB_HAS_FREE_SLOT} AS job_has_slot
    FROM runs JOIN tenant_concurrency USING (tenant_id)
    WHERE ${IS_WAITING} AND NOT runs.throttled
      AND runs.due_at < now() - make_interval(secs => $1::float8 / 1000)
    ORDER BY runs.due_at LIMIT $3
  ), without_room AS (
    UPDATE runs SET throttled = true, throttled_by_job = overdue.tenant_has_slot
    FROM overdue
    WHERE runs.id = overdue.id AND ${IS_WAITING} AND NOT (overdue.tenant_has_slot AND overdue.job_has_slot)
    RETURNING runs.id, runs.fence, runs.tenant_id
  ), in_the_way AS (
    UPDATE runs SET throttled_by_job = true
    FROM parked_tenant CROSS JOIN LATERAL (
      SELECT oldest.id FROM (
        SELECT runs.id, ${JOB_HAS_FREE_SLOT} AS job_has_slot FROM runs
        WHERE runs.tenant_id = parked_tenant.tenant_id AND runs.throttled AND NOT runs.throttled_by_job
        ORDER BY runs.due_at LIMIT ${SWEEP_BATCH}
      ) oldest WHERE NOT oldest.job_has_slot
    ) moved
    WHERE runs.id = moved.id AND runs.throttled
    RETURNING runs.id, runs.fence, runs.tenant_id
  ), chosen AS (
    SELECT found.* FROM parked_tenant JOIN tenant_concurrency USING (tenant_id)
      CROSS JOIN LATERAL (${next('tenant_concurrency.tenant_id', '(TABLE slot) - tenant_concurrency.running')}) found
    UNION ALL
    SELECT found.* FROM throttled_job JOIN tenant_concurrency USING (tenant_id) CROSS JOIN LATERAL (
      ${nextOfJob('tenant_concurrency.tenant_id', 'throttled_job.job_id', '(TABLE slot) - tenant_concurrency.running')}
    ) found
  ), called AS (
    ${CALL_CHOSEN}
  )
  SELECT ${CALLED_COLUMNS}, 'called' AS finding FROM called
  UNION ALL
  SELECT id, fence, tenant_id, 0, 'throttled' FROM (TABLE without_room UNION ALL TABLE in_the_way) throttled
  UNION ALL
  SELECT id, fence, tenant_id, ${fairShareOrder('due_at', 'row_number() OVER (PARTITION BY tenant_id ORDER BY due_at)')}, 'overdue'
  FROM overdue WHERE tenant_has_slot AND job_has_slot`;

/** Waiting runs that nobody comes for by themselves: without capacity, or without a wake-up. */
@Injectable()
export class ThrottledRunRepository {
  /** Calls the throttled runs that the capacity left by runs of these tenants and jobs is for. */
  async call(handle: AutoCommit, slots: readonly FreedSlot[], cap: number): Promise<WakeableRun[]> {
    const [tenantIds, jobIds] = [slots.map((slot) => slot.tenantId), slots.map((slot) => slot.jobId)];
    return await rows<WakeableRun>(handle, CALL, [tenantIds, jobIds, cap]);
  }

  /**
   * Looks through all that waits: finds runs due for more than `overdueMs` that no worker came for, at most `limit`
   * of them; throttles those that have no capacity, so that whoever leaves capacity calls them; calls throttled ones that have.
   */
  async sweep(handle: AutoCommit, overdueMs: number, cap: number, limit: number): Promise<SweptRun[]> {
    return await rows<SweptRun>(handle, SWEEP, [overdueMs, cap, limit]);
  }
}
