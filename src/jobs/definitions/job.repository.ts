import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';
import { lockTenantJobs } from '../runs/model/tenant-jobs-lock.js';
import { JobEntity } from './job.entity.js';

const JOB_COLUMNS = `
  tenant_id AS "tenantId", id, name, description, handler, signing_secret AS "signingSecret",
  timeout_ms AS "timeoutMs", retries, retry_backoff AS "retryBackoff", triggers, paused, max_concurrent_runs AS "maxConcurrentRuns",
  priority, start_within_ms AS "startWithinMs", retention_days AS "retentionDays", acts_as_caller AS "actsAsCaller",
  permissions, invocable_by AS "invocableBy", concurrency, rate, debounce`;

/** The schedules are in a table of the scheduler, but the next instant is part of the job that callers read. */
const RECORD_COLUMNS = `${JOB_COLUMNS}, created_at AS "createdAt", updated_at AS "updatedAt",
  CASE WHEN NOT paused THEN (
    SELECT min(next_fire_at) FROM cron_triggers
    WHERE cron_triggers.tenant_id = jobs.tenant_id AND cron_triggers.job_id = jobs.id
  ) END AS "nextFireAt"`;

/** A job as callers read it. */
export interface JobRecord extends JobEntity {
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The next instant of any of its schedules; null when it has none, or is paused. */
  readonly nextFireAt: Date | null;
}

@Injectable()
export class JobRepository {
  /**
   * Locks the tenant's definitions until the transaction ends, so that changes are serialized, and creates the
   * tenant's queue for its first job. It does not lock the queue itself, because the workers need it.
   *
   * @returns false when the tenant was deleted
   */
  async lockTenant(tx: Tx, tenantId: TenantId): Promise<boolean> {
    await lockTenantJobs(tx, tenantId);
    await rows(tx, 'INSERT INTO tenant_queues (tenant_id) VALUES ($1) ON CONFLICT (tenant_id) DO NOTHING', [
      tenantId,
    ]);
    const sql = 'SELECT FROM tenant_queues WHERE tenant_id = $1 AND removed_at IS NULL';
    return (await firstRow(tx, sql, [tenantId])) !== null;
  }

  /** Marks the tenant as deleted. Workers wait for this row, so this comes last in its transaction. */
  async markTenantRemoved(tx: Tx, tenantId: TenantId): Promise<void> {
    await rows(tx, 'UPDATE tenant_queues SET removed_at = now() WHERE tenant_id = $1', [tenantId]);
  }

  async findAll(tx: Tx, tenantId: TenantId): Promise<JobEntity[]> {
    return await tx.find(JobEntity, { where: { tenantId }, order: { id: 'ASC' } });
  }

  /** Lists jobs in the order of their ids, starting after `after`. */
  async list(
    handle: Tx | Reader,
    tenantId: TenantId,
    limit: number,
    after: string | null,
  ): Promise<JobRecord[]> {
    return await rows<JobRecord>(
      handle,
      `SELECT ${RECORD_COLUMNS}
       FROM jobs WHERE tenant_id = $1 AND ($3::text IS NULL OR id > $3)
       ORDER BY id LIMIT $2`,
      [tenantId, limit, after],
    );
  }

  async find(handle: Tx | Reader, tenantId: TenantId, id: string): Promise<JobRecord | null> {
    return await firstRow<JobRecord>(
      handle,
      `SELECT ${RECORD_COLUMNS}
       FROM jobs WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id],
    );
  }

  async save(tx: Tx, tenantId: TenantId, jobs: readonly JobEntity[]): Promise<void> {
    if (jobs.length === 0) return;
    const definitions = jobs.map((job) => ({ ...job, tenantId }));
    await rows(
      tx,
      `INSERT INTO jobs (tenant_id, id, name, description, handler, timeout_ms, retries, retry_backoff, triggers,
                         paused, max_concurrent_runs, priority, start_within_ms, retention_days, acts_as_caller, permissions,
                         invocable_by, concurrency, rate, debounce, signing_secret)
       SELECT "tenantId", id, name, description, handler, "timeoutMs", retries, "retryBackoff", triggers,
              paused, "maxConcurrentRuns", priority, "startWithinMs", "retentionDays", "actsAsCaller", permissions,
              "invocableBy", concurrency, rate, debounce, "signingSecret"
       FROM jsonb_to_recordset($1) AS job ("tenantId" uuid, id text, name text, description text, handler text,
                                           "timeoutMs" integer, retries integer, "retryBackoff" jsonb, triggers jsonb,
                                           paused boolean, "maxConcurrentRuns" integer, priority integer,
                                           "startWithinMs" integer, "retentionDays" integer,
                                           "actsAsCaller" boolean, permissions text[],
                                           "invocableBy" text, concurrency jsonb, rate jsonb, debounce jsonb,
                                           "signingSecret" text)
       ON CONFLICT (tenant_id, id) DO UPDATE SET
         name = EXCLUDED.name, description = EXCLUDED.description, handler = EXCLUDED.handler,
         timeout_ms = EXCLUDED.timeout_ms, retries = EXCLUDED.retries, retry_backoff = EXCLUDED.retry_backoff,
         triggers = EXCLUDED.triggers, paused = EXCLUDED.paused,
         max_concurrent_runs = EXCLUDED.max_concurrent_runs, priority = EXCLUDED.priority,
         start_within_ms = EXCLUDED.start_within_ms, retention_days = EXCLUDED.retention_days,
         acts_as_caller = EXCLUDED.acts_as_caller, permissions = EXCLUDED.permissions,
         invocable_by = EXCLUDED.invocable_by, concurrency = EXCLUDED.concurrency, rate = EXCLUDED.rate,
         debounce = EXCLUDED.debounce, signing_secret = EXCLUDED.signing_secret, updated_at = now()`,
      [JSON.stringify(definitions)],
    );
  }

  async pause(tx: Tx, tenantId: TenantId, ids: readonly string[], paused: boolean): Promise<void> {
    await rows(tx, 'UPDATE jobs SET paused = $3, updated_at = now() WHERE tenant_id = $1 AND id = ANY ($2)', [
      tenantId,
      ids,
      paused,
    ]);
  }

  /** Deletes jobs, after waiting for transactions that are adding runs to them. */
  async delete(tx: Tx, tenantId: TenantId, ids: readonly string[]): Promise<void> {
    // Locks jobs in the same order as statements that add runs of several jobs, so that the two cannot deadlock.
    await rows(tx, 'SELECT FROM jobs WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE', [
      tenantId,
      ids,
    ]);
    await rows(tx, 'DELETE FROM jobs WHERE tenant_id = $1 AND id = ANY ($2)', [tenantId, ids]);
  }
}
