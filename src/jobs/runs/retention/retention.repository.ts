import { Injectable } from '@nestjs/common';
import { rows } from '../../../platform/database/index.js';
import type { AutoCommit } from '../../../platform/database/index.js';
import { hasEnded } from '../model/status-sql.js';

/** Rows per statement: few enough that no other statement waits long for it. */
export const RETENTION_BATCH = 1000;

/** How many days the stats of minutes, hours and days are kept, by their length in minutes. */
const STATS_DAYS = { 1: 14, 60: 100, 1440: 1830 };

/**
 * Deletes expired rows one batch at a time and returns how many rows it deleted. Instances that do this concurrently
 * skip each other's rows. It never deletes a run that has not ended, however old.
 */
@Injectable()
export class RetentionRepository {
  /** Deletes ended runs with their attempts. */
  async deleteEnded(handle: AutoCommit, afterDays: number): Promise<number> {
    return await this.count(
      handle,
      `DELETE FROM runs WHERE id IN (
         SELECT id FROM runs WHERE ${hasEnded('status')} AND completed_at < now() - make_interval(days => $1)
         ORDER BY completed_at LIMIT ${RETENTION_BATCH} FOR UPDATE SKIP LOCKED
       ) RETURNING id`,
      [afterDays],
    );
  }

  /** Deletes ended runs of deleted tenants, whatever their age. */
  async deleteOfRemovedTenants(handle: AutoCommit): Promise<number> {
    return await this.count(
      handle,
      `DELETE FROM runs WHERE id IN (
         SELECT runs.id FROM tenant_concurrency JOIN runs USING (tenant_id)
         WHERE tenant_concurrency.removed_at IS NOT NULL AND ${hasEnded('runs.status')}
         LIMIT ${RETENTION_BATCH} FOR UPDATE OF runs SKIP LOCKED
       ) RETURNING id`,
      [],
    );
  }

  /**
   * Deletes the slot counts of deleted tenants without runs, a day after their deletion, when no request of theirs is
   * in progress.
   */
  async deleteSlotCounts(handle: AutoCommit): Promise<number> {
    return await this.count(
      handle,
      `WITH gone AS (
         DELETE FROM tenant_concurrency WHERE tenant_id IN (
           SELECT tenant_id FROM tenant_concurrency
           WHERE removed_at < now() - interval '1 day' AND running = 0
             AND NOT EXISTS (SELECT FROM runs WHERE runs.tenant_id = tenant_concurrency.tenant_id)
           LIMIT ${RETENTION_BATCH} FOR UPDATE SKIP LOCKED
         ) RETURNING tenant_id
       ), counts AS (DELETE FROM waiting_counts USING gone WHERE waiting_counts.tenant_id = gone.tenant_id)
       TABLE gone`,
      [],
    );
  }

  /** Deletes expired idempotency keys. */
  async deleteIdempotencyKeys(handle: AutoCommit, afterHours: number): Promise<number> {
    return await this.count(
      handle,
      `DELETE FROM run_requests WHERE (tenant_id, job_id, key) IN (
         SELECT tenant_id, job_id, key FROM run_requests
         WHERE created_at < now() - make_interval(hours => $1)
         ORDER BY created_at LIMIT ${RETENTION_BATCH} FOR UPDATE SKIP LOCKED
       ) RETURNING key`,
      [afterHours],
    );
  }

  /** Deletes old rows of the stats, and those of deleted tenants. */
  async deleteStats(handle: AutoCommit): Promise<number> {
    const old = Object.entries(STATS_DAYS).map(
      ([minutes, days]) => `(minutes = ${minutes} AND at < now() - interval '${days} days')`,
    );
    return await this.count(
      handle,
      `DELETE FROM run_stats WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM run_stats WHERE ${old.join(' OR ')}
           OR tenant_id IN (SELECT tenant_id FROM tenant_concurrency WHERE removed_at IS NOT NULL)
         LIMIT ${RETENTION_BATCH} FOR UPDATE SKIP LOCKED
       )) RETURNING 1`,
      [],
    );
  }

  /** Deletes workers that died without deregistering, long after other workers took their runs. */
  async deleteWorkers(handle: AutoCommit): Promise<number> {
    return await this.count(
      handle,
      `DELETE FROM workers WHERE id IN (
         SELECT id FROM workers WHERE heartbeat_at < now() - interval '1 day'
         LIMIT ${RETENTION_BATCH} FOR UPDATE SKIP LOCKED
       ) RETURNING id`,
      [],
    );
  }

  private async count(handle: AutoCommit, sql: string, parameters: readonly unknown[]): Promise<number> {
    return (await rows(handle, sql, parameters)).length;
  }
}
