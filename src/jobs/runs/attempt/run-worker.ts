import { Injectable, Logger } from '@nestjs/common';
import { CacheInvalidation } from '../../../events/index.js';
import type { BackgroundService } from '../../../platform/lifecycle/index.js';
import { DeferredRuns } from '../claim/deferred-runs.js';
import { StalledRunRecovery } from '../recovery/stalled-run-recovery.js';
import type { ClaimedRun } from '../model/run.js';
import { RunAttempts } from './run-attempts.js';
import type { EndedAttempt } from './run-attempts.js';
import { RunClaims } from '../claim/run-claims.js';
import type { FreedSlot } from '../model/waiting-run.js';
import { RunWakeUps } from '../queue/run-wake-ups.js';
import type { ReceivedWakeUp } from '../queue/run-wake-ups.js';
import { InFlightRuns } from './in-flight-runs.js';
import type { RunAtFence } from '../model/waiting-run.js';
import { WorkerHeartbeat } from '../slots/worker-heartbeat.js';
import { WorkerShares } from '../slots/worker-shares.js';

/** Takes wake-ups from Bull, `worker_count` at a time, and attempts the runs that they name, of one tenant a share only. */
@Injectable()
export class RunWorker implements BackgroundService {
  readonly name = 'run worker';
  private readonly logger = new Logger(RunWorker.name);
  private readonly inFlight = new InFlightRuns();
  /** What a shutdown waits for: attempts, with the telling of their end. */
  private readonly unfinished = new Set<Promise<void>>();
  private readonly shares: WorkerShares;
  private isDraining = false;
  /** From here on a wake-up is someone else's. */
  private isShutDown = false;

  constructor(
    private readonly wakeUps: RunWakeUps,
    private readonly deferred: DeferredRuns,
    private readonly claims: RunClaims,
    private readonly attempts: RunAttempts,
    private readonly heartbeat: WorkerHeartbeat,
    private readonly stalledRuns: StalledRunRecovery,
    changes: CacheInvalidation,
  ) {
    this.shares = new WorkerShares(heartbeat.tenantSlots);
    changes.onChange((change) => {
      if (change !== 'everything' && change.kind === 'run_taken') this.inFlight.breakOff(change.id, 'taken');
    });
  }

  async start(): Promise<void> {
    this.deferred.start((tenantId) => this.shares.hasFreeSlot(tenantId));
    await this.heartbeat.start((held, askedAt) => this.compare(held, askedAt));
    this.wakeUps.startTaking(this.heartbeat.slots, (wakeUp) => this.take(wakeUp));
  }

  async drain(limitMs: number): Promise<void> {
    this.isDraining = true;
    await this.wakeUps.stopTaking();
    await this.deferred.giveBack();
    const deadline = setTimeout(() => {
      this.shutDown();
    }, limitMs);
    await Promise.allSettled(this.unfinished);
    clearTimeout(deadline);
    this.shutDown();
  }

  async stop(): Promise<void> {
    this.shutDown();
    await Promise.allSettled(this.unfinished);
    await this.deferred.giveBack();
    await this.heartbeat.stop();
  }

  private shutDown(): void {
    this.isDraining = true;
    this.isShutDown = true;
    this.inFlight.breakOffAll('shutdown');
  }

  private async take(wakeUp: ReceivedWakeUp): Promise<void> {
    const tenantId = wakeUp.tenantId ?? (await this.claims.tenantOf(wakeUp.runId));
    // Without a tenant the run is gone. One that is at work here came a second time; the first attempt goes on.
    if (tenantId === null || this.isShutDown || this.inFlight.has(wakeUp.runId)) return;
    this.deferred.came(wakeUp, tenantId);
    // A slot that was waiting for a wake-up when the queue was paused may still be given one.
    if (this.isDraining) {
      await this.deferred.leave(wakeUp);
      return;
    }
    if (!this.shares.take(tenantId)) {
      this.deferred.add(wakeUp, tenantId);
      return;
    }
    const work = this.workInSlot(wakeUp, tenantId);
    this.unfinished.add(work);
    await work;
    this.unfinished.delete(work);
  }

  /** The slot is given up before others are called for it, or this worker would find their tenant at its share. */
  private async workInSlot(wakeUp: ReceivedWakeUp, tenantId: string): Promise<void> {
    const left = await this.workOn(wakeUp, tenantId);
    if (this.shares.release(tenantId) === 0) this.deferred.forget(tenantId);
    try {
      if (await this.deferred.callNext(tenantId)) return;
      if (left !== null) await this.claims.passOn(left);
    } catch (error) {
      this.logger.warn(error, 'could not hand capacity on; the sweeper will');
    }
  }

  /**
   * Attempts the run, and then whatever waits for the capacity that it leaves.
   * @returns capacity that is left to whichever worker the queue gives the next run
   */
  private async workOn(wakeUp: ReceivedWakeUp, tenantId: string): Promise<FreedSlot | null> {
    try {
      let run = await this.claim(wakeUp.runId);
      // Others may be throttled for having come to a worker where their tenant holds its share.
      if (run !== null && wakeUp.passes > 0) await this.claims.passOn(run);
      while (run !== null) {
        const throttleCount = this.deferred.throttleCountOf(tenantId);
        const ended = await this.carryOut(run);
        await ended.tell();
        const slot = ended.slot ?? (this.deferred.throttleCountOf(tenantId) === throttleCount ? null : run);
        if (this.isDraining || this.unfinished.size >= this.heartbeat.slots) return slot;
        run = await this.next(tenantId, slot);
      }
    } catch (error) {
      // The run stays ours by the database alone, and the next beat gives it up.
      this.logger.error(error, `an attempt of ${wakeUp.runId} broke off, or of a run after it`);
    }
    return null;
  }

  private async claim(runId: string): Promise<ClaimedRun | null> {
    const signal = this.inFlight.begin(runId);
    let run: ClaimedRun | null = null;
    try {
      run = await this.claims.claim(runId);
      if (run !== null) this.inFlight.claimed(run);
    } finally {
      if (run === null) this.inFlight.end(runId, signal);
    }
    return run;
  }

  /** Ends before the retry's wake-up goes out: another slot may have it at once, and would take it for a double. */
  private async carryOut(run: ClaimedRun): Promise<EndedAttempt> {
    const signal = this.inFlight.signalOf(run.id) ?? AbortSignal.abort('taken');
    // It came while we shut down: too late to be among those that were broken off.
    if (this.isShutDown) this.inFlight.breakOff(run.id, 'shutdown');
    try {
      return await this.attempts.carryOut(run, signal);
    } finally {
      this.inFlight.end(run.id, signal);
    }
  }

  /**
   * What waits for the capacity is claimed here and now, which leaves it empty for no longer than a statement takes. Not
   * with every slot at work: that would keep this one for the tenant, so then the queue decides whose turn it is.
   */
  private async next(tenantId: string, slot: FreedSlot | null): Promise<ClaimedRun | null> {
    for (let runId = this.deferred.next(tenantId); runId !== null; runId = this.deferred.next(tenantId)) {
      const run = this.inFlight.has(runId) ? null : await this.claim(runId);
      if (run !== null) return run;
    }
    if (slot === null) return null;
    for (;;) {
      const throttleCount = this.deferred.throttleCountOf(tenantId);
      const run = await this.inFlight.claiming(() => this.claims.claimThrottled(slot));
      // What was throttled meanwhile may not have been seen.
      if (run !== null || this.deferred.throttleCountOf(tenantId) === throttleCount) return run;
    }
  }

  private async compare(held: readonly RunAtFence[], askedAt: number): Promise<void> {
    this.inFlight.breakOffAllBut(held, askedAt);
    // Runs that are ours by the database while nothing here works on them would otherwise stay so for good.
    const forgotten = this.inFlight.forgotten(held);
    if (forgotten.length > 0) await this.stalledRuns.forgotten(forgotten);
  }
}
