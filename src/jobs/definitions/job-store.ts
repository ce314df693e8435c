import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { afterCommit } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';
import type { Rate } from '../runs/model/rate.js';
import { ExchangeRepository } from '../runs/exchange/exchange.repository.js';
import { RunCancellation } from '../runs/finish/run-cancellation.js';
import { RunDispatcher } from '../runs/queue/run-dispatcher.js';
import { toTriggerDto, TriggerKinds } from '../triggers/index.js';
import type { JobTriggers } from '../triggers/index.js';
import type { JobEntity } from './job.entity.js';
import { JobRepository } from './job.repository.js';
import { Tenancy, TenantDeletion } from '../../tenancy/index.js';
import { Vault } from '../../vault/index.js';

/** Stores and removes jobs with their triggers, and does what follows for runs that wait. */
@Injectable()
export class JobStore {
  constructor(
    private readonly jobs: JobRepository,
    private readonly cancellation: RunCancellation,
    private readonly exchanges: ExchangeRepository,
    private readonly triggerKinds: TriggerKinds,
    private readonly dispatcher: RunDispatcher,
    private readonly vault: Vault,
  ) {}

  /** @param existing the jobs as they were, by their ids */
  async save(
    tx: Tx,
    tenantId: TenantId,
    jobs: readonly JobEntity[],
    triggers: readonly JobTriggers[],
    existing: ReadonlyMap<string, JobEntity>,
  ): Promise<void> {
    const secrets = jobs.flatMap(({ signingSecret }) => signingSecret ?? []);
    await this.vault.lockAgainstDeletion(tx, tenantId, secrets);
    await this.jobs.save(tx, tenantId, jobs);
    await this.triggerKinds.apply(tx, tenantId, triggers);
    const extended = jobs.filter((job) => leavesMorePlaces(existing.get(job.id), job)).map(({ id }) => id);
    if (extended.length > 0) await this.exchanges.unblock(tx, tenantId, extended);
    // No end wakes runs that waited only for a limit that is higher now.
    if (extended.length > 0 || jobs.some((job) => raisesLimit(existing.get(job.id), job)))
      afterCommit(tx, () => this.dispatcher.wakeUp(tenantId));
  }

  /** Pauses jobs, or resumes them. The caller has locked the tenant's definitions. */
  async pause(tx: Tx, tenantId: TenantId, jobs: readonly JobEntity[], paused: boolean): Promise<void> {
    await this.jobs.pause(
      tx,
      tenantId,
      jobs.map(({ id }) => id),
      paused,
    );
    await this.triggerKinds.apply(tx, tenantId, jobs.map(triggersOf));
  }

  /**
   * Removes jobs and cancels their waiting runs. Running runs end, and the history stays. The caller has locked the
   * tenant's definitions.
   *
   * @param reason the error message of the cancelled runs
   * @returns how many waiting runs were cancelled
   */
  async remove(tx: Tx, tenantId: TenantId, jobIds: readonly string[], reason: string): Promise<number> {
    if (jobIds.length === 0) return 0;
    await this.removeDefinitions(tx, tenantId, jobIds);
    // A separate statement after the deletion sees the runs that the deletion waited for.
    const cancelled = await this.cancellation.cancelWaiting(tx, tenantId, jobIds, reason);
    await this.exchanges.unblock(tx, tenantId, jobIds);
    return cancelled;
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
    await this.cancellation.cancelWaiting(tx, tenantId, null, reason);
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
}

/** What a registered job declares. */
export function triggersOf({ id, triggers }: Pick<JobEntity, 'id' | 'triggers'>): JobTriggers {
  return {
    jobId: id,
    triggers: triggers.map((definition, position) => ({
      jobId: id,
      position,
      path: `triggers[${position}]`,
      definition: toTriggerDto(definition),
    })),
  };
}

function leavesMorePlaces(before: JobEntity | undefined, after: JobEntity): boolean {
  if (before === undefined) return false;
  const placesOf = ({ concurrency }: JobEntity): number => concurrency?.limit ?? Infinity;
  return placesOf(after) > placesOf(before) || (before.rate !== null && isFaster(before.rate, after.rate));
}

function isFaster(before: Rate, after: Rate | null): boolean {
  return after === null || after.limit > before.limit || after.per_ms < before.per_ms;
}

function raisesLimit(before: JobEntity | undefined, after: JobEntity): boolean {
  const limitOf = (job: JobEntity): number => job.maxConcurrentRuns ?? Infinity;
  return before !== undefined && limitOf(after) > limitOf(before);
}

/** Removes the jobs of a tenant that is deleted. */
@Injectable()
export class TenantJobs implements OnModuleInit {
  constructor(
    private readonly deletion: TenantDeletion,
    private readonly jobs: JobRepository,
    private readonly store: JobStore,
    private readonly tenancy: Tenancy,
  ) {}

  onModuleInit(): void {
    this.deletion.follow((tx, tenantId) => this.removeAll(tx, tenantId));
  }

  /**
   * Removes the tenant's jobs and cancels their waiting runs; running runs end. The next pass of the retention deletes
   * the history, which nobody can read any more.
   */
  private async removeAll(tx: Tx, tenantId: TenantId): Promise<void> {
    await this.jobs.lockTenant(tx, tenantId);
    await this.store.removeAll(tx, tenantId, `the ${this.tenancy.noun} was deleted`);
    await this.jobs.markTenantRemoved(tx, tenantId);
  }
}
