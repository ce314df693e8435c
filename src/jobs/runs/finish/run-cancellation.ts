import { Injectable } from '@nestjs/common';
import { actorOf, AuditTrail } from '../../../audit/index.js';
import { CacheInvalidation } from '../../../cache-invalidation/index.js';
import { afterCommit, Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import type { Caller, Origin, TenantId } from '../../../http/index.js';
import { ExchangeRepository } from '../exchange/exchange.repository.js';
import type { RunEnd } from '../model/attempt-end.js';
import { isFinal, isRunningStatus } from '../model/run-status.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import { ActiveRunRepository } from './active-run.repository.js';
import type { ActiveRun, DisplacedRun } from './active-run.repository.js';
import { RunMetrics } from './run-metrics.js';

/** Descendants that one cancellation ends at most, and those that it reads, most of which may have ended. */
const MAX_UNFINISHED = 10_000;
const MAX_READ = 100_000;

/** Ends in one statement: many more would take the event loop for long. */
const MAX_ENDS = 1_000;

const CANCELLED: Omit<RunEnd, 'runId' | 'tenantId'> = {
  event: 'cancelled',
  errorCode: 'cancelled',
  errorMessage: 'the run was cancelled',
};

/** Why, by `when_full`. */
const DISPLACED: Readonly<Record<DisplacedRun['whenFull'], string>> = {
  drop_newest: 'as many runs with this concurrency key were running as may',
  cancel_oldest: 'a newer run with this concurrency key took the place',
};

/**
 * Cancels runs, on request, with their job, or where its concurrency leaves no place. Each transaction first locks the queue of the tenant, so that it knows what it
 * ends: no run of the tenant is claimed, ends or is added until it commits.
 */
@Injectable()
export class RunCancellation {
  constructor(
    private readonly database: Database,
    private readonly active: ActiveRunRepository,
    private readonly exchanges: ExchangeRepository,
    private readonly dispatcher: RunDispatcher,
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
      const run = (await this.cancelWithin(tx, tenantId, [runId])).get(runId);
      if (run === undefined) throw new ServiceError('run_not_found');
      if (isFinal(run.status)) throw new ServiceError('run_finished');
      await this.audit.append(tx, {
        actor: actorOf(caller),
        action: 'run.cancelled',
        target: { type: 'run', id: runId },
        tenantId,
        userId: null,
        origin,
        details: { job_id: run.jobId, from: run.status },
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
      await this.exchanges.lock(tx, tenantId);
      const { read, runs } = await this.active.tree(tx, tenantId, runId, MAX_READ + 1);
      const root = runs.find(({ id }) => id === runId);
      if (root === undefined) throw new ServiceError('run_not_found');
      const unfinished = runs.filter(({ status }) => !isFinal(status));
      if (read > MAX_READ || unfinished.length > MAX_UNFINISHED)
        throw new ServiceError('too_many_runs', {
          message: `The run has more than ${MAX_UNFINISHED} descendants that have not ended, or ${MAX_READ} in all.`,
          hint: 'Cancel them level by level: POST /jobs/v1/runs/bulk with the filter parent_run_id.',
        });
      if (unfinished.length === 0) throw new ServiceError('run_finished');
      await this.endAll(tx, tenantId, unfinished, CANCELLED);
      await this.audit.append(tx, {
        actor: actorOf(caller),
        action: 'run.cancelled',
        target: { type: 'run', id: runId },
        tenantId,
        userId: null,
        origin,
        details: { from: root.status, children: unfinished.filter(({ id }) => id !== runId).length },
      });
    });
  }

  /**
   * Cancels those of the runs that have not ended, without a record.
   * @returns the runs as they were, without those that the tenant does not have
   */
  async cancelWithin(
    tx: Tx,
    tenantId: TenantId,
    runIds: readonly string[],
  ): Promise<ReadonlyMap<string, ActiveRun>> {
    await this.exchanges.lock(tx, tenantId);
    const runs = await this.active.findAll(tx, tenantId, runIds);
    const unfinished = runs.filter(({ status }) => !isFinal(status));
    await this.endAll(tx, tenantId, unfinished, CANCELLED);
    return new Map(runs.map((run) => [run.id, run]));
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
    await this.exchanges.lock(tx, tenantId);
    const waiting = await this.active.waitingOf(tx, tenantId, jobIds);
    await this.endAll(tx, tenantId, waiting, {
      event: 'job deleted',
      errorCode: 'cancelled',
      errorMessage: reason,
    });
    return waiting.length;
  }

  /** Cancels the runs of the tenant that have no place, or lose it to newer ones. */
  async cancelDisplaced(tenantId: TenantId): Promise<void> {
    while ((await this.cancelSomeDisplaced(tenantId)) === MAX_ENDS);
  }

  private async cancelSomeDisplaced(tenantId: TenantId): Promise<number> {
    return await this.database.transaction(async (tx) => {
      await this.exchanges.lock(tx, tenantId);
      const displaced = await this.active.displaced(tx, tenantId, MAX_ENDS);
      for (const [whenFull, errorMessage] of Object.entries(DISPLACED))
        await this.endAll(
          tx,
          tenantId,
          displaced.filter((run) => run.whenFull === whenFull),
          { event: 'displaced', errorCode: 'concurrency_limit', errorMessage },
        );
      return displaced.length;
    });
  }

  /** Ends runs of a locked queue. Their slots are free for others after the commit. */
  private async endAll(
    tx: Tx,
    tenantId: TenantId,
    runs: readonly ActiveRun[],
    end: Omit<RunEnd, 'runId' | 'tenantId'>,
  ): Promise<void> {
    for (let first = 0; first < runs.length; first += MAX_ENDS) {
      const part = runs.slice(first, first + MAX_ENDS);
      const ends = part.map(({ id }) => ({ runId: id, tenantId, ...end }));
      const tenant = (await this.exchanges.exchange(tx, null, [{ tenantId, ends }])).get(tenantId);
      for (const { id, status } of part)
        if (isRunningStatus(status)) await this.changes.announce(tx, { kind: 'run_taken', id });
      afterCommit(tx, async () => {
        for (const run of tenant?.ends ?? []) this.metrics.ended(run);
        if (tenant?.hasRoom === true) await this.dispatcher.wakeUp(tenantId);
      });
    }
  }
}
