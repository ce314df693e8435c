import { Injectable } from '@nestjs/common';
import { afterCommit, rows } from '../platform/database/index.js';
import type { Tx } from '../platform/database/index.js';
import type { TenantId } from '../platform/http/index.js';
import { JobEntity, JobRepository } from './definitions/index.js';
import type { EndedRun } from './runs/run.js';
import { RunMetrics } from './runs/run-metrics.js';
import { TriggerKinds } from './triggers/index.js';

/** What a deleted organization leaves of its jobs: the history of its runs, until that is old enough to go. */
@Injectable()
export class OrganizationJobs {
  constructor(
    private readonly jobs: JobRepository,
    private readonly metrics: RunMetrics,
    private readonly triggerKinds: TriggerKinds,
  ) {}

  /** Removes the organization's jobs and cancels the runs that wait; the running ones end. */
  async removeAll(tx: Tx, organizationId: TenantId): Promise<void> {
    await this.jobs.lockTenant(tx, organizationId);
    const jobs = await this.jobs.findAll(tx, organizationId);
    await this.triggerKinds.apply(
      tx,
      organizationId,
      jobs.map(({ id }) => ({ jobId: id, triggers: [] })),
    );
    await tx.delete(JobEntity, { tenantId: organizationId });
    const cancelled = await rows<EndedRun>(
      tx,
      `UPDATE runs SET status = 'cancelled', completed_at = now(), parked = false,
              error_code = 'cancelled', error_message = 'the organization was deleted'
       WHERE tenant_id = $1 AND status IN ('queued', 'retrying')
       RETURNING status, extract(epoch FROM completed_at - started_at)::float8 AS seconds`,
      [organizationId],
    );
    afterCommit(tx, () => {
      for (const run of cancelled) this.metrics.ended(run);
    });
  }
}
