import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { actorOf, AuditTrail } from '../../../audit/index.js';
import { CacheInvalidation } from '../../../events/index.js';
import {
  afterCommit,
  Database,
  GroupedStatement,
  isDatabaseUnavailable,
} from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import type { Caller, Origin, TenantId } from '../../../http/index.js';
import { isFinal, MAX_LOSSES } from '../model/run-status.js';
import type { RunAtFence } from '../model/waiting-run.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import { FreedSlots } from '../slots/freed-slots.js';
import { DEAD_AFTER_MS } from '../slots/worker-heartbeat.js';
import { RunEndRepository } from './run-end.repository.js';
import type { AttemptEnd, StalledRun, WrittenEnd } from './run-end.repository.js';
import { RunMetrics } from './run-metrics.js';

/** Half a minute in total. */
const WRITE_TRIES = 60;
const WRITE_RETRY_MS = 500;

/** An attempt whose end has been written. The run may already be claimed again, even by the same worker. */
export interface FinishedAttempt extends WrittenEnd {
  /** If the run is retried, how long it waits first. */
  readonly delayMs: number;
}

/**
 * Every end of an attempt and of a run, whatever ends it: the handler's response, the worker's shutdown, the loss of
 * the worker, a cancellation, or the deletion of the job. Ends are counted, freed slots are passed on, and runs that
 * are retried get their wake-up.
 */
@Injectable()
export class RunEnds {
  private readonly logger = new Logger(RunEnds.name);
  private readonly finishing: GroupedStatement<AttemptEnd, WrittenEnd | null>;

  constructor(
    private readonly database: Database,
    private readonly ends: RunEndRepository,
    private readonly dispatcher: RunDispatcher,
    private readonly slots: FreedSlots,
    private readonly metrics: RunMetrics,
    private readonly changes: CacheInvalidation,
    private readonly audit: AuditTrail,
  ) {
    this.finishing = new GroupedStatement((given) => ends.finishUnlocked(database.autoCommit, given));
  }

  /**
   * Writes the end of an attempt and retries while the database is unavailable: the handler has done its work, and
   * doing it twice is worse than waiting. If another worker takes the claim meanwhile, this writes nothing. If only
   * the reply to an earlier try was lost, the end is already written; this then finds it, because nobody else reports
   * it.
   *
   * @returns null when the claim was no longer the current one. Otherwise the caller calls `followUp` once it no
   *   longer tracks the run, and passes on the slot.
   */
  async finishAttempt(end: AttemptEnd): Promise<FinishedAttempt | null> {
    let mayBeWritten = false;
    for (let tries = 1; ; tries += 1) {
      try {
        const written =
          (await this.finishing.run(end)) ??
          (await this.ends.finish(this.database.autoCommit, end)) ??
          (mayBeWritten ? await this.ends.findFinished(this.database.reader, end) : null);
        return written === null ? null : { ...written, delayMs: end.delayMs };
      } catch (error) {
        if (!isDatabaseUnavailable(error) || tries >= WRITE_TRIES) throw error;
        mayBeWritten = true;
        await wait(WRITE_RETRY_MS);
      }
    }
  }

  /** Counts the end of the run, or wakes a worker for the retry. */
  async followUp(finished: FinishedAttempt): Promise<void> {
    this.metrics.ended(finished);
    if (!isFinal(finished.status)) await this.dispatcher.wakeUp(finished, finished.delayMs);
  }

  /** Takes the runs of workers whose heartbeat has stopped. */
  async recoverFromDeadWorkers(): Promise<void> {
    await this.recover(
      await this.ends.releaseDeadWorkers(this.database.autoCommit, DEAD_AFTER_MS, MAX_LOSSES),
    );
  }

  /**
   * Takes runs from a living worker that holds them according to the database but no longer tracks them: the reply to
   * a claim was lost with a connection, or an end could not be written.
   */
  async recoverUntracked(runs: readonly RunAtFence[]): Promise<void> {
    await this.recover(await this.ends.releaseUntracked(this.database.autoCommit, runs, MAX_LOSSES));
  }

  /**
   * Cancels a run that is waiting or running. The worker that calls its handler closes the call within a second, and
   * a later response changes nothing.
   * @throws run_not_found; run_finished when it has already ended
   */
  async cancel(tenantId: TenantId, runId: string, caller: Caller, origin: Origin): Promise<void> {
    await this.database.serialTransaction(tenantId, actorOf(caller), async (tx) => {
      const cancellation = await this.ends.cancel(tx, tenantId, runId);
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
      if (cancellation.wasRunning) await this.changes.announce(tx, { kind: 'run_taken', id: runId });
      afterCommit(tx, async () => {
        this.metrics.ended(cancellation);
        if (cancellation.wasRunning) await this.slots.passOn(cancellation);
      });
    });
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
    afterCommit(tx, () => {
      for (const run of cancelled) this.metrics.ended(run);
    });
    return cancelled.length;
  }

  private async recover(lost: readonly StalledRun[]): Promise<void> {
    for (const run of lost) {
      this.logger.warn(`${run.id} was lost with its worker and is now ${run.status}`);
      this.metrics.ended(run);
    }
    await this.dispatcher.wakeUpAll(lost.filter((run) => !isFinal(run.status)));
    const slots = new Map(lost.map((run) => [JSON.stringify([run.tenantId, run.jobId]), run]));
    for (const slot of slots.values()) await this.slots.passOn(slot);
  }
}
