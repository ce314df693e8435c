import { Injectable } from '@nestjs/common';
import { actorOf, AuditTrail } from '../../../audit/index.js';
import { CacheInvalidation } from '../../../cache-invalidation/index.js';
import { afterCommit, Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import type { Caller, Origin, TenantId } from '../../../http/index.js';
import { FreedSlots } from '../slots/freed-slots.js';
import { RunEndRepository } from './run-end.repository.js';
import type { Cancellation } from './run-end.repository.js';
import { isRunningStatus, isWaitingStatus } from '../model/run-status.js';
import type { RunStatus } from '../model/run-status.js';
import { RunMetrics } from './run-metrics.js';
import { RunTreeRepository } from './run-tree.repository.js';
import type { LockedRun } from './run-tree.repository.js';

/** Cancels runs, on request or with their job. */
@Injectable()
export class RunCancellation {
  constructor(
    private readonly database: Database,
    private readonly ends: RunEndRepository,
    private readonly trees: RunTreeRepository,
    private readonly slots: FreedSlots,
    private readonly metrics: RunMetrics,
    private readonly changes: CacheInvalidation,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Cancels a run that is waiting or running. The worker that calls its handler closes the call within a second, and
   * a later response changes nothing.
   * @throws run_not_found; run_finished when it has already ended
   */
  async cancel(tenantId: TenantId, runId: string, caller: Caller, origin: Origin): Promise<void> {
    await this.database.serialTransaction(tenantId, actorOf(caller), async (tx) => {
      const cancellation = await this.cancelWithin(tx, tenantId, runId);
      if (cancellation === null) throw new ServiceError('run_not_found');
      if (cancellation.from === null) throw new ServiceError('run_finished');
      await this.audit.append(tx, {
        actor: actorOf(caller),
        action: 'run.cancelled',
        target: { type: 'run', id: runId },
        orgId: tenantId,
        userId: null,
        origin,
        details: { job_id: cancellation.jobId, from: cancellation.from },
      });
    });
  }

  /**
   * Cancels a run together with its descendants, of which none starts after the commit. The run itself may have ended if
   * one of them has not.
   * @throws run_not_found, run_finished, too_many_runs
   */
  async cancelTree(tenantId: TenantId, runId: string, caller: Caller, origin: Origin): Promise<void> {
    await this.database.serialTransaction(tenantId, actorOf(caller), async (tx) => {
      const tree = await this.trees.lock(tx, tenantId, runId);
      const root = tree.find(({ id }) => id === runId);
      if (root === undefined) throw new ServiceError('run_not_found');
      const cancelled = await this.cancelAll(tx, tenantId, tree);
      if (cancelled.length === 0) throw new ServiceError('run_finished');
      await this.audit.append(tx, {
        actor: actorOf(caller),
        action: 'run.cancelled',
        target: { type: 'run', id: runId },
        orgId: tenantId,
        userId: null,
        origin,
        details: { from: root.status, children: cancelled.filter(({ id }) => id !== runId).length },
      });
    });
  }

  /** Returns those of these locked runs that had not ended. */
  private async cancelAll(tx: Tx, tenantId: TenantId, locked: readonly LockedRun[]): Promise<Cancellation[]> {
    const idsOf = (isWanted: (status: RunStatus) => boolean): string[] =>
      locked.filter(({ status }) => isWanted(status)).map(({ id }) => id);
    // There may be many that wait, and only the others lock the slot count of the tenant.
    const waiting = await this.ends.cancelLocked(tx, tenantId, idsOf(isWaitingStatus));
    const running = await this.ends.cancelLocked(tx, tenantId, idsOf(isRunningStatus));
    for (const { id } of running) await this.changes.announce(tx, { kind: 'run_taken', id });
    afterCommit(tx, async () => {
      for (const run of [...waiting, ...running]) this.metrics.ended(run);
      const ofJobs = new Map(waiting.map((run) => [run.jobId, run]));
      await Promise.all([...ofJobs.values(), ...running].map((run) => this.slots.passOn(run)));
    });
    return [...waiting, ...running];
  }

  /**
   * Cancels a run without a record. A transaction cancels one run, since each cancellation locks first the run and
   * then the slot count of its tenant.
   * @returns null when the tenant has no such run; `from` is null when it has already ended
   */
  async cancelWithin(tx: Tx, tenantId: TenantId, runId: string): Promise<Cancellation | null> {
    const cancellation = await this.ends.cancel(tx, tenantId, runId);
    if (cancellation === null || cancellation.from === null) return cancellation;
    if (cancellation.wasRunning) await this.changes.announce(tx, { kind: 'run_taken', id: runId });
    afterCommit(tx, async () => {
      this.metrics.ended(cancellation);
      // A waiting run gives up its place as well: it may have been woken for a free slot.
      await this.slots.passOn(cancellation);
    });
    return cancellation;
  }

  /**
   * Cancels the waiting runs of deleted jobs.
   *
   * @param jobIds null for all jobs of the tenant
   * @param reason the error message of the cancelled runs
   * @returns how many runs were cancelled
   */
  async cancelWaiting(
    tx: Tx,
    tenantId: TenantId,
    jobIds: readonly string[] | null,
    reason: string,
  ): Promise<number> {
    const cancelled = await this.ends.cancelWaiting(tx, tenantId, jobIds, reason);
    const [jobId] = jobIds ?? [];
    afterCommit(tx, async () => {
      for (const run of cancelled) this.metrics.ended(run);
      if (cancelled.length > 0 && jobId !== undefined) await this.slots.passOn({ tenantId, jobId });
    });
    return cancelled.length;
  }
}
