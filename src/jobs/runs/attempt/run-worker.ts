import { Injectable, Logger } from '@nestjs/common';
import { CacheInvalidation } from '../../../events/index.js';
import type { BackgroundService } from '../../../platform/lifecycle/index.js';
import { DeferredRuns } from '../claim/deferred-runs.js';
import { RunEnds } from '../finish/run-ends.js';
import type { FinishedAttempt } from '../finish/run-ends.js';
import type { ClaimedRun } from '../model/run.js';
import { RunAttempts } from './run-attempts.js';
import { RunClaims } from '../claim/run-claims.js';
import type { FreedSlot } from '../model/waiting-run.js';
import { RunWakeUps } from '../queue/run-wake-ups.js';
import type { ReceivedWakeUp } from '../queue/run-wake-ups.js';
import { InFlightRuns } from './in-flight-runs.js';
import type { RunAtFence } from '../model/waiting-run.js';
import { WorkerHeartbeat } from '../slots/worker-heartbeat.js';
import { WorkerShares } from '../slots/worker-shares.js';

/**
 * Takes wake-ups from Bull, `worker_count` at a time, and attempts their runs. One tenant may hold only its share of
 * the slots.
 */
@Injectable()
export class RunWorker implements BackgroundService {
  readonly name = 'run worker';
  private readonly logger = new Logger(RunWorker.name);
  private readonly inFlight = new InFlightRuns();
  /** Attempts, including the follow-up of their end, that a shutdown waits for. */
  private readonly unfinished = new Set<Promise<void>>();
  private readonly shares: WorkerShares;
  private isDraining = false;
  /** Attempts that are still in flight have been aborted, and a claim that returns now is given back. */
  private isShutDown = false;

  constructor(
    private readonly wakeUps: RunWakeUps,
    private readonly deferred: DeferredRuns,
    private readonly claims: RunClaims,
    private readonly attempts: RunAttempts,
    private readonly heartbeat: WorkerHeartbeat,
    private readonly ends: RunEnds,
    changes: CacheInvalidation,
  ) {
    this.shares = new WorkerShares(heartbeat.tenantSlots);
    changes.onChange((change) => {
      if (change !== 'everything' && change.kind === 'run_taken') this.inFlight.abort(change.id, 'taken');
    });
  }

  async start(): Promise<void> {
    this.deferred.start((tenantId) => this.shares.hasFreeSlot(tenantId));
    await this.heartbeat.start((held, askedAt) => this.reconcile(held, askedAt));
    this.wakeUps.startTaking(this.heartbeat.slots, (wakeUp) => this.take(wakeUp));
  }

  async drain(limitMs: number): Promise<void> {
    this.isDraining = true;
    await this.wakeUps.stopTaking();
    await this.deferred.requeueAll();
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
    await this.deferred.requeueAll();
    await this.heartbeat.stop();
  }

  private shutDown(): void {
    this.isDraining = true;
    this.isShutDown = true;
    this.inFlight.abortAll('shutdown');
  }

  private async take(wakeUp: ReceivedWakeUp): Promise<void> {
    const tenantId = wakeUp.tenantId ?? (await this.claims.tenantOf(wakeUp.runId));
    // Without a tenant, the run no longer exists. If the run is already in flight here, its first attempt goes on.
    if (tenantId === null || this.inFlight.has(wakeUp.runId)) return;
    this.deferred.noteArrival(wakeUp, tenantId);
    // A slot that was waiting for a wake-up when the queue was paused may still receive one, even after the shutdown.
    if (this.isDraining) {
      await this.deferred.requeue(wakeUp);
      return;
    }
    if (!this.shares.take(tenantId)) {
      this.deferred.add(wakeUp, tenantId);
      return;
    }
    const attempts = this.runInSlot(wakeUp, tenantId);
    this.unfinished.add(attempts);
    await attempts;
    this.unfinished.delete(attempts);
  }

  /**
   * Releases this worker's slot before waking other runs for it; otherwise this worker would find that their tenant
   * still holds its share.
   */
  private async runInSlot(wakeUp: ReceivedWakeUp, tenantId: string): Promise<void> {
    const freed = await this.executeRuns(wakeUp, tenantId);
    if (this.shares.release(tenantId) === 0) this.deferred.forget(tenantId);
    try {
      if (await this.deferred.wakeNext(tenantId)) return;
      if (freed !== null) await this.claims.passOn(freed);
    } catch (error) {
      this.logger.warn(error, 'could not pass on a freed slot; the sweeper will');
    }
  }

  /**
   * Attempts the run, and then the runs that wait for the slot that it frees.
   * @returns a freed slot that goes to whichever worker receives the next run from the queue
   */
  private async executeRuns(wakeUp: ReceivedWakeUp, tenantId: string): Promise<FreedSlot | null> {
    try {
      let run = await this.claim(wakeUp.runId);
      // Other runs may be throttled because they reached a worker where their tenant held its share.
      if (run !== null && wakeUp.passes > 0) await this.claims.passOn(run);
      while (run !== null) {
        const throttleCount = this.deferred.throttleCountOf(tenantId);
        const finished = await this.execute(run);
        if (finished !== null) await this.ends.followUp(finished);
        const mayPassOn =
          finished?.mayPassOn === true || this.deferred.throttleCountOf(tenantId) !== throttleCount;
        const slot = mayPassOn ? run : null;
        if (this.isDraining || this.unfinished.size >= this.heartbeat.slots) return slot;
        run = await this.next(tenantId, slot);
      }
    } catch (error) {
      // The run now belongs to this worker only in the database. The next heartbeat releases it.
      this.logger.error(error, `an attempt of ${wakeUp.runId}, or of a run after it, failed unexpectedly`);
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

  /**
   * Stops tracking the run before its retry's wake-up goes out: another slot may receive it at once and would ignore
   * it.
   */
  private async execute(run: ClaimedRun): Promise<FinishedAttempt | null> {
    const signal = this.inFlight.signalOf(run.id) ?? AbortSignal.abort('taken');
    // The claim returned during shutdown, after the runs in flight were aborted.
    if (this.isShutDown) this.inFlight.abort(run.id, 'shutdown');
    try {
      return await this.attempts.execute(run, signal);
    } finally {
      this.inFlight.end(run.id, signal);
    }
  }

  /**
   * Claims a run that waits for the slot right here, which leaves the slot unused for no longer than one statement.
   * The caller does not do so while every slot is busy, because that would reserve this slot for the tenant; the
   * queue then decides which tenant is next.
   */
  private async next(tenantId: string, slot: FreedSlot | null): Promise<ClaimedRun | null> {
    for (let runId = this.deferred.next(tenantId); runId !== null; runId = this.deferred.next(tenantId)) {
      const run = this.inFlight.has(runId) ? null : await this.claim(runId);
      if (run !== null) return run;
    }
    if (slot === null) return null;
    for (;;) {
      const throttleCount = this.deferred.throttleCountOf(tenantId);
      const run = await this.inFlight.claimAny(() => this.claims.claimThrottled(slot));
      // The claim may have missed a run that was throttled while it was under way.
      if (run !== null || this.deferred.throttleCountOf(tenantId) === throttleCount) return run;
    }
  }

  private async reconcile(held: readonly RunAtFence[], askedAt: number): Promise<void> {
    this.inFlight.abortAllExcept(held, askedAt);
    // The database assigns these runs to this worker, but no slot executes them. Without this, they would stay
    // running for ever.
    const untracked = this.inFlight.untracked(held);
    if (untracked.length > 0) await this.ends.recoverUntracked(untracked);
  }
}
