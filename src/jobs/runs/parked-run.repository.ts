import { Injectable } from '@nestjs/common';
import { rows } from '../../platform/database/index.js';
import type { OneStatement } from '../../platform/database/index.js';
import type { LeftRoom } from './run-end.repository.js';
import { IS_WAITING, JOB_HAS_ROOM, turnAfter } from './waiting-run.js';
import { DEAD_AFTER_MS } from './worker-heartbeat.js';
import type { CallableRun } from './waiting-run.js';

/** What a sweep found of a waiting run. */
export interface SweptRun extends CallableRun {
  /** `overdue`: its hint may be lost. `called`: it was parked, and there is room. `parked`: there is none, or was. */
  readonly finding: 'overdue' | 'called' | 'parked';
}

/** Of each tenant and job, at most so many are moved by one sweep. */
const SWEEP_BATCH = 1000;

/**
 * In SQL: those of a tenant's waiting runs that its room is for, `free` many, the longest due. Those of them that
 * are not parked are on their way already.
 */
function next(tenantId: string, free: string): string {
  return `
    SELECT runs.id, runs.parked, runs.due_at, row_number() OVER (ORDER BY runs.due_at) AS place FROM runs
    WHERE runs.tenant_id = ${tenantId} AND ${IS_WAITING} AND NOT runs.parked_by_job AND runs.due_at <= now()
      AND ${JOB_HAS_ROOM}
    ORDER BY runs.due_at LIMIT greatest(${free}, 0)`;
}

/** In SQL: those of a job's parked runs that its room is for, the longest due. */
function nextOfJob(tenantId: string, jobId: string, free: string): string {
  return `
    SELECT runs.id, runs.parked, runs.due_at, row_number() OVER (ORDER BY runs.due_at) AS place FROM runs
    WHERE runs.tenant_id = ${tenantId} AND runs.job_id = ${jobId} AND runs.parked AND runs.parked_by_job
    ORDER BY runs.due_at LIMIT greatest(least(${free}, (
      SELECT coalesce(jobs.max_concurrent_runs, 2147483647) - job_rooms.running
      FROM job_rooms LEFT JOIN jobs ON jobs.tenant_id = job_rooms.tenant_id AND jobs.id = job_rooms.job_id
      WHERE job_rooms.tenant_id = ${tenantId} AND job_rooms.job_id = ${jobId}
    )), 0)`;
}

/** In SQL: makes parked runs of `chosen` called ones. The caller that comes second finds them locked, and taken. */
const CALL_CHOSEN = `
  UPDATE runs SET parked = false, parked_by_job = false
  FROM (
    SELECT runs.id, chosen.place FROM runs JOIN chosen USING (id)
    WHERE chosen.parked AND runs.parked FOR UPDATE OF runs SKIP LOCKED
  ) free
  WHERE runs.id = free.id
  RETURNING runs.id, runs.fence, runs.tenant_id, ${turnAfter('now()', 'free.place')} AS turn`;

const CALLED_COLUMNS = 'id, fence, tenant_id AS "tenantId", turn';

/**
 * In SQL: how many runs of a tenant all living workers may have at work, by the cap for tenants and by the share of
 * each worker's slots. A worker of an earlier release knows no share.
 */
function roomOfTenant(cap: string): string {
  return `least(${cap}, coalesce((
    SELECT CASE WHEN bool_and(tenant_slots IS NOT NULL) THEN sum(tenant_slots) END FROM workers
    WHERE heartbeat_at > now() - make_interval(secs => ${DEAD_AFTER_MS / 1000})
  ), ${cap}))::int`;
}

const CALL = `
  WITH room AS (
    SELECT DISTINCT tenant_id, job_id FROM unnest($1::uuid[], $2::text[]) AS left_room (tenant_id, job_id)
  ), tenant AS (
    SELECT tenant_id, ${roomOfTenant('$3')} - running AS free FROM tenant_rooms WHERE tenant_id IN (SELECT tenant_id FROM room)
  ), chosen AS (
    SELECT found.* FROM tenant CROSS JOIN LATERAL (${next('tenant.tenant_id', 'tenant.free')}) found
    UNION ALL
    SELECT found.* FROM room JOIN tenant USING (tenant_id)
      CROSS JOIN LATERAL (${nextOfJob('room.tenant_id', 'room.job_id', 'tenant.free')}) found
  )
  ${CALL_CHOSEN}`;

/**
 * From index to index entry: each tenant, and each job, that has a parked run, without reading the runs between.
 */
const WITH_PARKED = `
  parked_tenant AS (
    (SELECT tenant_id FROM runs WHERE parked AND NOT parked_by_job ORDER BY tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT runs.tenant_id FROM runs
            WHERE parked AND NOT parked_by_job AND runs.tenant_id > last.tenant_id ORDER BY tenant_id LIMIT 1)
    FROM parked_tenant last WHERE last.tenant_id IS NOT NULL
  ), parked_job AS (
    (SELECT tenant_id, job_id FROM runs WHERE parked AND parked_by_job ORDER BY tenant_id, job_id LIMIT 1)
    UNION ALL
    SELECT following.tenant_id, following.job_id FROM parked_job last CROSS JOIN LATERAL (
      SELECT runs.tenant_id, runs.job_id FROM runs
      WHERE parked AND parked_by_job AND (runs.tenant_id, runs.job_id) > (last.tenant_id, last.job_id)
      ORDER BY runs.tenant_id, runs.job_id LIMIT 1
    ) following
  )`;

const SWEEP = `
  WITH RECURSIVE room AS MATERIALIZED (SELECT ${roomOfTenant('$2')} AS size), ${WITH_PARKED}, overdue AS (
    SELECT runs.id, runs.fence, runs.due_at, runs.tenant_id, tenant_rooms.running < (TABLE room) AS tenant_has_room,
           ${JOB_HAS_ROOM} AS job_has_room
    FROM runs JOIN tenant_rooms USING (tenant_id)
    WHERE ${IS_WAITING} AND NOT runs.parked
      AND runs.due_at < now() - make_interval(secs => $1::float8 / 1000)
    ORDER BY runs.due_at LIMIT $3
  ), without_room AS (
    UPDATE runs SET parked = true, parked_by_job = overdue.tenant_has_room
    FROM overdue
    WHERE runs.id = overdue.id AND ${IS_WAITING} AND NOT (overdue.tenant_has_room AND overdue.job_has_room)
    RETURNING runs.id, runs.fence, runs.tenant_id
  ), in_the_way AS (
    UPDATE runs SET parked_by_job = true
    FROM parked_tenant CROSS JOIN LATERAL (
      SELECT oldest.id FROM (
        SELECT runs.id, ${JOB_HAS_ROOM} AS job_has_room FROM runs
        WHERE runs.tenant_id = parked_tenant.tenant_id AND runs.parked AND NOT runs.parked_by_job
        ORDER BY runs.due_at LIMIT ${SWEEP_BATCH}
      ) oldest WHERE NOT oldest.job_has_room
    ) moved
    WHERE runs.id = moved.id AND runs.parked
    RETURNING runs.id, runs.fence, runs.tenant_id
  ), chosen AS (
    SELECT found.* FROM parked_tenant JOIN tenant_rooms USING (tenant_id)
      CROSS JOIN LATERAL (${next('tenant_rooms.tenant_id', '(TABLE room) - tenant_rooms.running')}) found
    UNION ALL
    SELECT found.* FROM parked_job JOIN tenant_rooms USING (tenant_id) CROSS JOIN LATERAL (
      ${nextOfJob('tenant_rooms.tenant_id', 'parked_job.job_id', '(TABLE room) - tenant_rooms.running')}
    ) found
  ), called AS (
    ${CALL_CHOSEN}
  )
  SELECT ${CALLED_COLUMNS}, 'called' AS finding FROM called
  UNION ALL
  SELECT id, fence, tenant_id, 0, 'parked' FROM (TABLE without_room UNION ALL TABLE in_the_way) parked
  UNION ALL
  SELECT id, fence, tenant_id, ${turnAfter('due_at', 'row_number() OVER (PARTITION BY tenant_id ORDER BY due_at)')}, 'overdue'
  FROM overdue WHERE tenant_has_room AND job_has_room`;

/** Waiting runs that nobody comes for by themselves: without room, or without a hint. */
@Injectable()
export class ParkedRunRepository {
  /** Calls the parked runs that the room left by runs of these tenants and jobs is for. */
  async call(handle: OneStatement, rooms: readonly LeftRoom[], cap: number): Promise<CallableRun[]> {
    const [tenantIds, jobIds] = [rooms.map((room) => room.tenantId), rooms.map((room) => room.jobId)];
    return await rows<CallableRun>(handle, CALL, [tenantIds, jobIds, cap]);
  }

  /**
   * Looks through all that waits: finds runs due for more than `overdueMs` that no worker came for, at most `limit`
   * of them; parks those that have no room, so that whoever leaves room calls them; calls parked ones that have.
   */
  async sweep(handle: OneStatement, overdueMs: number, cap: number, limit: number): Promise<SweptRun[]> {
    return await rows<SweptRun>(handle, SWEEP, [overdueMs, cap, limit]);
  }
}
