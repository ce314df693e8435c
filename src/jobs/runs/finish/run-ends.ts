import { Inject, Injectable, Logger } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database, isDatabaseUnavailable } from '../../../platform/database/index.js';
import { isFinal, MAX_LOSSES } from '../model/run-status.js';
import type { FreedSlot, RunAtFence } from '../model/waiting-run.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import { FreedSlots } from '../slots/freed-slots.js';
import type { ClaimedRun } from '../model/run.js';
import type { AttemptEnd, WrittenEnd } from './finish-statement.js';
import { RunEndRepository, EXPIRED_BATCH } from './run-end.repository.js';
import type { StalledRun } from './run-end.repository.js';
import { RunExchange } from './run-exchange.js';
import { RunMetrics } from './run-metrics.js';

/** A throttled run may find no free slot after all. Each one that does leaves the slot to the next. */
const CLAIM_TRIES = 5;
/** Half a minute in total. */
const WRITE_TRIES = 60;
/** Of runs that have not started in time, in one sweep. Those of one tenant may expire as fast as they are ended. */
const LATE_BATCHES = 5;

/** An attempt whose end has been written. The run may already be claimed again, even by the same worker. */
export interface FinishedAttempt extends WrittenEnd {
  /** If the run is retried, how long it waits first. */
  readonly delayMs: number;
  /** The run that was claimed for the slot in the same statement. */
  readonly next: ClaimedRun | null;
}

/**
 * Every end of an attempt and of a run, whatever ends it: the handler's response, the worker's shutdown, the loss of
 * the worker, a cancellation, or the deletion of the job. Ends are counted, freed slots are passed on, and runs that
 * are retried get their wake-up.
 */
@Injectable()
export class RunEnds {
  private readonly logger = new Logger(RunEnds.name);

  constructor(
    private readonly database: Database,
    private readonly ends: RunEndRepository,
    private readonly exchange: RunExchange,
    private readonly dispatcher: RunDispatcher,
    private readonly slots: FreedSlots,
    private readonly metrics: RunMetrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Writes the end of an attempt and retries while the database is unavailable: the handler has done its work, and
   * doing it twice is worse than waiting. If another worker takes the claim meanwhile, this writes nothing. If only
   * the reply to an earlier try was lost, the end is already written; this then finds it, because nobody else reports
   * it.
   *
   * @param keepsSlot whether to claim another run of the tenant for the slot
   * @returns null when the claim was no longer the current one. Otherwise the caller calls `followUp` once it no
   *   longer tracks the run, and uses the slot for `next` or passes it on.
   */
  async finishAttempt(end: AttemptEnd, keepsSlot: boolean): Promise<FinishedAttempt | null> {
    let mayBeWritten = false;
    for (let tries = 1; ; tries += 1) {
      try {
        const { written: exchanged, next } = await this.exchange.finish(end, keepsSlot);
        const written =
          exchanged ??
          (await this.ends.finish(this.database.autoCommit, end)) ??
          (mayBeWritten ? await this.ends.findFinished(this.database.reader, end) : null);
        return written === null ? null : { ...written, delayMs: end.delayMs, next };
      } catch (error) {
        if (!isDatabaseUnavailable(error) || tries >= WRITE_TRIES) throw error;
        mayBeWritten = true;
        await wait(this.config.timing.runs.retryMs);
      }
    }
  }

  /** Claims a run for a slot that an earlier end freed. Returns null when this worker finds none. */
  async claimNext(slot: FreedSlot): Promise<ClaimedRun | null> {
    for (let tries = 1; tries <= CLAIM_TRIES; tries += 1) {
      const { next, isThrottled } = await this.exchange.fill(slot);
      if (next !== null) return next;
      if (!isThrottled) break;
    }
    // Other workers took the runs that this claim saw. Only a new search shows whether more wait.
    await this.slots.passOn(slot);
    return null;
  }

  /** Counts the end of the run, or wakes a worker for the retry. */
  async followUp(finished: FinishedAttempt): Promise<void> {
    this.metrics.ended(finished);
    if (!isFinal(finished.status)) await this.dispatcher.wakeUp(finished, finished.delayMs);
  }

  /**
   * Ends the runs that have not started in time, a bounded number of them. One that was woken for a free slot leaves it to
   * others.
   */
  async endLateRuns(): Promise<void> {
    for (let batch = 0; batch < LATE_BATCHES; batch += 1) {
      const expired = await this.ends.expire(this.database.autoCommit);
      for (const run of expired) this.metrics.ended(run);
      await this.passOnAll(expired);
      if (expired.length < EXPIRED_BATCH) return;
    }
  }

  /** Takes the runs of workers whose heartbeat has stopped. */
  async recoverFromDeadWorkers(): Promise<void> {
    const { deadAfterMs } = this.config.timing.workers;
    await this.recover(await this.ends.releaseDeadWorkers(this.database.autoCommit, deadAfterMs, MAX_LOSSES));
  }

  /**
   * Takes runs from a living worker that holds them according to the database but no longer tracks them: the reply to
   * a claim was lost with a connection, or an end could not be written.
   */
  async recoverUntracked(workerId: string, runs: readonly RunAtFence[]): Promise<void> {
    await this.recover(
      await this.ends.releaseUntracked(this.database.autoCommit, workerId, runs, MAX_LOSSES),
    );
  }

  private async recover(lost: readonly StalledRun[]): Promise<void> {
    for (const run of lost) {
      this.logger.warn(`${run.id} was lost with its worker and is now ${run.status}`);
      this.metrics.ended(run);
    }
    await this.dispatcher.wakeUpAll(lost.filter((run) => !isFinal(run.status)));
    await this.passOnAll(lost);
  }

  private async passOnAll(freed: readonly FreedSlot[]): Promise<void> {
    const slots = new Map(freed.map((slot) => [JSON.stringify([slot.tenantId, slot.jobId]), slot]));
    for (const slot of slots.values()) await this.slots.passOn(slot);
  }
}
