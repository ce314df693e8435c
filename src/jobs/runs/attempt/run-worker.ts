import { Injectable, Logger } from '@nestjs/common';
import { CacheInvalidation } from '../../../cache-invalidation/index.js';
import type { BackgroundService } from '../../../platform/lifecycle/index.js';
import { DeferredRuns } from '../claim/deferred-runs.js';
import { RunEnds } from '../finish/run-ends.js';
import type { FinishedAttempt } from '../finish/run-ends.js';
import type { ClaimedRun } from '../model/run.js';
import { RunAttempts } from './run-attempts.js';
import { RunClaims } from '../claim/run-claims.js';
import type { FreedSlot } from '../model/waiting-run.js';
import { RunWakeUps } from '../queue/run-wake-ups.js';
import type { ReceivedWakeUp, WakeUpTaker } from '../queue/run-wake-ups.js';
import { InFlightRuns } from './in-flight-runs.js';
import type { RunAtFence } from '../model/waiting-run.js';
import type { ReservedSlot } from '../queue/local-worker.js';
import { WorkerHeartbeat } from '../slots/worker-heartbeat.js';
import { WorkerSlots } from '../slots/worker-slots.js';

/** Further wake-ups without Redis are left to the next sweep. */
const MAX_WOKEN = 10_000;

/**
 * Attempts runs in `worker_count` slots, of which one tenant may hold only its share: runs that are accepted in this
 * process while a slot is free, runs whose wake-up comes from Bull, and after each run the tenant's next.
 */
@Injectable()
export class RunWorker implements BackgroundService, WakeUpTaker {
  readonly name = 'run worker';
  private readonly logger = new Logger(RunWorker.name);
  private readonly inFlight = new InFlightRuns();
  /** Attempts, including the follow-up of their end, that a shutdown waits for. */
  private readonly unfinished = new Set<Promise<void>>();
  private readonly slots: WorkerSlots;
  /** Runs whose handler was called here, but the end of the attempt could not be written. */
  private readonly unwritten = new Set<string>();
  /** Adopted runs that wait for a slot here. */
  private readonly orphans = new Map<string, ClaimedRun>();
  /** Runs whose wake-ups came without Redis and wait for a slot here, with their tenants. */
  private readonly woken = new Map<string, string>();
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
    this.slots = new WorkerSlots(heartbeat.slots, heartbeat.tenantSlots);
    changes.onChange((change) => {
      if (change !== 'everything' && change.kind === 'run_taken') this.inFlight.abort(change.id, 'taken');
    });
  }

  get workerId(): string {
    return this.heartbeat.workerId;
  }

  async start(): Promise<void> {
    this.deferred.start((tenantId) => this.slots.isWithinShare(tenantId));
    await this.heartbeat.start((held, askedAt) => this.reconcile(held, askedAt));
    this.wakeUps.startTaking(this);
  }

  async drain(limitMs: number): Promise<void> {
    this.startDraining();
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

  /** Keeps a slot for a run that this process is about to accept. */
  reserve({ id, tenantId }: { readonly id: string; readonly tenantId: string }): ReservedSlot | null {
    if (this.isDraining || !this.slots.take(tenantId)) return null;
    const signal = this.inFlight.begin(id);
    let settle = (_run: ClaimedRun | null): void => undefined;
    const claim = new Promise<ClaimedRun | null>((resolve) => (settle = resolve));
    this.track(this.runInSlot(tenantId, claim));
    return {
      start: (run) => {
        this.inFlight.claimed(run);
        settle(run);
      },
      release: () => {
        this.inFlight.end(id, signal);
        settle(null);
      },
    };
  }

  /** Attempts these runs, each as soon as a slot is free for its tenant. */
  wake(runs: readonly { readonly id: string; readonly tenantId: string }[]): void {
    for (const { id, tenantId } of runs) if (this.woken.size < MAX_WOKEN) this.woken.set(id, tenantId);
    this.useFreeSlots();
  }

  private useFreeSlots(): void {
    for (const [id, run] of this.orphans) {
      if (!this.slots.take(run.tenantId)) continue;
      this.orphans.delete(id);
      this.track(this.runInSlot(run.tenantId, Promise.resolve(run)));
    }
    for (const [id, tenantId] of this.woken) {
      if (this.isDraining || this.slots.isFull) return;
      const isNew = !this.inFlight.has(id);
      if (isNew && !this.slots.take(tenantId)) continue;
      this.woken.delete(id);
      if (isNew) this.track(this.runInSlot(tenantId, this.claim(id)));
    }
  }

  private startDraining(): void {
    this.isDraining = true;
    this.slots.resumeAll();
  }

  private shutDown(): void {
    this.startDraining();
    this.isShutDown = true;
    this.inFlight.abortAll('shutdown');
  }

  /** Resolves once this worker can take another wake-up: while every slot is in use, other workers get them. */
  async take(wakeUp: ReceivedWakeUp): Promise<void> {
    const { tenantId } = wakeUp;
    // If the run is already in flight here, its first attempt goes on.
    if (this.inFlight.has(wakeUp.runId)) return;
    this.deferred.noteArrival(wakeUp, tenantId);
    // A run that was accepted here may have taken the slot that was free when Bull fetched the wake-up.
    if (this.slots.isWithinShare(tenantId)) await this.slots.whenFree(this.heartbeat.timing.waitMs);
    // A slot that was waiting for a wake-up when the queue was paused may still receive one, even after the shutdown.
    if (this.isDraining) {
      await this.deferred.requeue(wakeUp);
      return;
    }
    // Meanwhile the run may have been claimed here for a freed slot.
    if (this.inFlight.has(wakeUp.runId)) return;
    if (!this.slots.take(tenantId)) {
      if (this.slots.isWithinShare(tenantId)) await this.deferred.requeue(wakeUp);
      else this.deferred.add(wakeUp, tenantId);
      return;
    }
    this.track(this.runInSlot(tenantId, this.claimWoken(wakeUp)));
    // Bull keeps the wake-up until then. That is harmless, since the attempt needs no other one.
    while (this.isBusy()) await this.slots.whenFree(this.heartbeat.timing.checkMs);
  }

  private isBusy(): boolean {
    return this.slots.isFull && !this.isDraining;
  }

  /** Lets work that no run waits for go on beside the attempts. */
  private trackAside(work: Promise<void> | null): void {
    if (work === null) return;
    this.track(
      work.catch((error: unknown) => {
        this.logger.warn(error, 'could not wake a waiting run; the sweeper will');
      }),
    );
  }

  private track(attempts: Promise<void>): void {
    this.unfinished.add(attempts);
    void attempts.finally(() => this.unfinished.delete(attempts));
  }

  /**
   * Attempts the claimed run, if there is one, and the runs after it. Releases this worker's slot before waking other
   * runs for it; otherwise this worker would find that their tenant still holds its share.
   */
  private async runInSlot(tenantId: string, claim: Promise<ClaimedRun | null>): Promise<void> {
    let freed: FreedSlot | null = null;
    try {
      freed = await this.executeRuns(tenantId, await claim);
    } catch (error) {
      // If a run was claimed, it now belongs to this worker only in the database. A heartbeat releases it.
      this.logger.error(error, 'an attempt failed unexpectedly');
    }
    if (this.slots.release(tenantId) === 0) this.deferred.forget(tenantId);
    this.useFreeSlots();
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
  private async executeRuns(tenantId: string, first: ClaimedRun | null): Promise<FreedSlot | null> {
    const takenAt = performance.now();
    let run = first;
    while (run !== null) {
      const throttleCount = this.deferred.throttleCountOf(tenantId);
      const outcome = await this.execute(run, () => this.keepsSlot(takenAt));
      const isDeferred = outcome === 'deferred';
      const finished = isDeferred ? null : outcome;
      const followUp = finished === null ? null : this.ends.followUp(finished);
      if (finished?.next != null) {
        // The claimed run does not wait for the wake-up of the one before.
        this.trackAside(followUp);
        run = finished.next;
        continue;
      }
      await followUp;
      const mayPassOn =
        isDeferred ||
        finished?.mayPassOn === true ||
        this.deferred.throttleCountOf(tenantId) !== throttleCount;
      const slot = mayPassOn ? run : null;
      if (!this.keepsSlot(takenAt)) return slot;
      run = await this.next(tenantId, slot);
    }
    return null;
  }

  /** Whether the tenant's next run may use a slot that the tenant has held since `takenAt`. */
  private keepsSlot(takenAt: number): boolean {
    if (this.isDraining || this.orphans.size > 0) return false;
    return !this.slots.isFull || performance.now() - takenAt < this.heartbeat.timing.stayMs;
  }

  private async claimWoken(wakeUp: ReceivedWakeUp): Promise<ClaimedRun | null> {
    const run = await this.claim(wakeUp.runId);
    // Other runs may be throttled because they reached a worker where their tenant held its share.
    if (run !== null && wakeUp.passes > 0) this.trackAside(this.claims.passOn(run));
    return run;
  }

  private async claim(runId: string): Promise<ClaimedRun | null> {
    if (this.inFlight.has(runId)) return null;
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
  private async execute(
    run: ClaimedRun,
    keepsSlot: () => boolean,
  ): Promise<FinishedAttempt | 'deferred' | null> {
    const signal = this.inFlight.signalOf(run.id) ?? AbortSignal.abort('taken');
    // The claim returned during shutdown, after the runs in flight were aborted.
    if (this.isShutDown) this.inFlight.abort(run.id, 'shutdown');
    try {
      return await this.attempts.execute(run, signal, (end) =>
        this.inFlight.claimAny(
          () => this.ends.finishAttempt(end, keepsSlot()),
          (finished) => finished?.next ?? null,
        ),
      );
    } catch (error) {
      this.unwritten.add(keyOf(run));
      throw error;
    } finally {
      this.inFlight.end(run.id, signal);
    }
  }

  /**
   * Claims a run that waits for the slot right here, which leaves the slot unused for no longer than one statement.
   * The caller does not do so for long while every slot is busy, because that would reserve this slot for the tenant;
   * the queue then decides which tenant is next.
   */
  private async next(tenantId: string, slot: FreedSlot | null): Promise<ClaimedRun | null> {
    for (let runId = this.deferred.next(tenantId); runId !== null; runId = this.deferred.next(tenantId)) {
      const run = await this.claim(runId);
      if (run !== null) return run;
    }
    if (slot === null) return null;
    for (;;) {
      const throttleCount = this.deferred.throttleCountOf(tenantId);
      const run = await this.inFlight.claimAny(
        () => this.ends.claimNext(slot),
        (claimed) => claimed,
      );
      // The claim may have missed a run that was throttled while it was under way.
      if (run !== null || this.deferred.throttleCountOf(tenantId) === throttleCount) return run;
    }
  }

  private async reconcile(held: readonly RunAtFence[], askedAt: number): Promise<void> {
    this.inFlight.abortAllExcept(held, askedAt);
    // The database assigns these runs to this worker, but no slot executes them. Without this, they would stay
    // running for ever.
    const lost: RunAtFence[] = [];
    for (const run of this.inFlight.untracked(held)) if (!(await this.adopt(run))) lost.push(run);
    if (lost.length > 0) await this.ends.recoverUntracked(this.heartbeat.workerId, lost);
    for (const run of lost) this.unwritten.delete(keyOf(run));
  }

  /**
   * Attempts a run whose claim committed although its reply was lost with the connection: its handler has not been
   * called. Returns false when the run must be taken from this worker.
   */
  private async adopt(run: RunAtFence): Promise<boolean> {
    if (this.mustStop() || this.unwritten.has(keyOf(run))) return false;
    const claimed = await this.inFlight.claimAny(
      () => this.claims.findClaimed(run),
      (found) => found,
    );
    if (claimed === null) return true;
    if (this.mustStop()) {
      this.inFlight.end(run.id, this.inFlight.signalOf(run.id) ?? AbortSignal.abort());
      return false;
    }
    this.orphans.set(claimed.id, claimed);
    this.useFreeSlots();
    return true;
  }

  private mustStop(): boolean {
    return this.isDraining;
  }
}

function keyOf({ id, fence }: RunAtFence): string {
  return `${id}.${fence}`;
}
