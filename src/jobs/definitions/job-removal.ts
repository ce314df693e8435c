import { Injectable } from '@nestjs/common';
import { afterCommit } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../platform/http/index.js';
import { RunMetrics } from '../runs/finish/run-metrics.js';
import { WaitingRunCancellationRepository } from '../runs/finish/waiting-run-cancellation.repository.js';
import { TriggerKinds } from '../triggers/index.js';
import { JobRepository } from './job.repository.js';

/** Removes jobs and their triggers, and cancels their waiting runs. Running runs end, and the history stays. */
@Injectable()
export class JobRemoval {
  constructor(
    private readonly jobs: JobRepository,
    private readonly waiting: WaitingRunCancellationRepository,
    private readonly triggerKinds: TriggerKinds,
    private readonly metrics: RunMetrics,
  ) {}

  /**
   * Removes jobs. The caller has locked the tenant's definitions.
   *
   * @param reason the error message of the cancelled runs
   * @returns how many waiting runs were cancelled
   */
  async remove(tx: Tx, tenantId: TenantId, jobIds: readonly string[], reason: string): Promise<number> {
    if (jobIds.length === 0) return 0;
    await this.removeDefinitions(tx, tenantId, jobIds);
    return await this.cancelWaiting(tx, tenantId, jobIds, reason);
  }

  /** Removes every job of the tenant, and also cancels waiting runs of jobs that were deleted earlier. */
  async removeAll(tx: Tx, tenantId: TenantId, reason: string): Promise<void> {
    const jobs = await this.jobs.findAll(tx, tenantId);
    if (jobs.length > 0)
      await this.removeDefinitions(
        tx,
        tenantId,
        jobs.map(({ id }) => id),
      );
    await this.cancelWaiting(tx, tenantId, null, reason);
  }

  private async removeDefinitions(tx: Tx, tenantId: TenantId, jobIds: readonly string[]): Promise<void> {
    // Triggers first: firing a trigger locks it while the run is added to the job.
    await this.triggerKinds.apply(
      tx,
      tenantId,
      jobIds.map((jobId) => ({ jobId, triggers: [] })),
    );
    await this.jobs.delete(tx, tenantId, jobIds);
  }

  /** Runs as a separate statement after the deletion, so that it sees the runs that the deletion waited for. */
  private async cancelWaiting(
    tx: Tx,
    tenantId: TenantId,
    jobIds: readonly string[] | null,
    reason: string,
  ): Promise<number> {
    const cancelled = await this.waiting.cancel(tx, tenantId, jobIds, reason);
    afterCommit(tx, () => {
      for (const run of cancelled) this.metrics.ended(run);
    });
    return cancelled.length;
  }
}
