import { Injectable } from '@nestjs/common';
import { rows } from '../../../platform/database/index.js';
import type { AutoCommit } from '../../../platform/database/index.js';

/** Rows of one statement: few enough that nobody waits for it. */
export const RETENTION_BATCH = 1000;

const FINAL = `status IN ('completed', 'failed', 'cancelled')`;

/**
 * Deletes what is kept no longer, a batch at a time, and answers how many rows that was. Instances that do so at
 * once skip each other's rows. What has not ended is never among them, however old.
 */
@Injectable()
export class RetentionRepository {
  /** Ended runs with their attempts. */
  async deleteEnded(handle: AutoCommit, afterDays: number): Promise<number> {
    return await this.count(
      handle,
      `DELETE FROM runs WHERE id IN (
         SELECT id FROM runs WHERE ${FINAL} AND completed_at < now() - make_interval(days => $1)
         ORDER BY completed_at LIMIT ${RETENTION_BATCH} FOR UPDATE SKIP LOCKED
       ) RETURNING id`,
      [afterDays],
    );
  }

  /** Ended runs of tenants that are gone, of any age. */
  async deleteAbandoned(handle: AutoCommit): Promise<number> {
    return await this.count(
      handle,
      `DELETE FROM runs WHERE id IN (
         SELECT runs.id FROM tenant_concurrency JOIN runs USING (tenant_id)
         WHERE tenant_concurrency.removed_at IS NOT NULL AND ${FINAL}
         LIMIT ${RETENTION_BATCH} FOR UPDATE OF runs SKIP LOCKED
       ) RETURNING id`,
      [],
    );
  }

  /** Rooms of tenants that are gone and have no runs left; after a day, when no request of theirs is still under way. */
  async deleteRooms(handle: AutoCommit): Promise<number> {
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

  /** Idempotency keys that are remembered no longer. */
  async deleteRequests(handle: AutoCommit, afterHours: number): Promise<number> {
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

  /** Workers that ended without a word, long after their runs were given to others. */
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
