import { Injectable } from '@nestjs/common';
import { rows } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../platform/http/index.js';
import { JobEntity } from './job.entity.js';

@Injectable()
export class JobRepository {
  /**
   * Makes the tenant's room if this is its first job, and holds it until the transaction ends, so that two
   * manifests of one tenant are registered one after the other.
   */
  async lockTenant(tx: Tx, tenantId: TenantId): Promise<void> {
    await rows(
      tx,
      `INSERT INTO tenant_rooms (tenant_id) VALUES ($1)
       ON CONFLICT (tenant_id) DO UPDATE SET tenant_id = EXCLUDED.tenant_id`,
      [tenantId],
    );
  }

  async findAll(tx: Tx, tenantId: TenantId): Promise<JobEntity[]> {
    return await tx.findBy(JobEntity, { tenantId });
  }

  async save(tx: Tx, tenantId: TenantId, jobs: readonly JobEntity[]): Promise<void> {
    if (jobs.length === 0) return;
    const definitions = jobs.map((job) => ({ ...job, tenantId }));
    await rows(
      tx,
      `INSERT INTO jobs (tenant_id, id, name, description, handler, timeout_ms, retries, retry_backoff, triggers,
                         paused, max_concurrent_runs)
       SELECT "tenantId", id, name, description, handler, "timeoutMs", retries, "retryBackoff", triggers,
              paused, "maxConcurrentRuns"
       FROM jsonb_to_recordset($1) AS job ("tenantId" uuid, id text, name text, description text, handler text,
                                           "timeoutMs" integer, retries integer, "retryBackoff" jsonb, triggers jsonb,
                                           paused boolean, "maxConcurrentRuns" integer)
       ON CONFLICT (tenant_id, id) DO UPDATE SET
         name = EXCLUDED.name, description = EXCLUDED.description, handler = EXCLUDED.handler,
         timeout_ms = EXCLUDED.timeout_ms, retries = EXCLUDED.retries, retry_backoff = EXCLUDED.retry_backoff,
         triggers = EXCLUDED.triggers, paused = EXCLUDED.paused,
         max_concurrent_runs = EXCLUDED.max_concurrent_runs, updated_at = now()`,
      [JSON.stringify(definitions)],
    );
  }
}
