import { setImmediate as immediate } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { CacheInvalidation } from '../../../cache-invalidation/index.js';
import type { BackgroundService } from '../../../platform/lifecycle/index.js';
import type { TenantId } from '../../../http/index.js';
import { RunPump } from '../exchange/run-pump.js';
import { RunEnds } from '../finish/run-ends.js';
import type { FinishedAttempt } from '../exchange/run-pump.js';
import type { ClaimedRun, RunAtFence } from '../model/run.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import { RunWakeUps } from '../queue/run-wake-ups.js';
import type { TenantWakeUp, WakeUpTaker } from '../queue/run-wake-ups.js';
import { WorkerHeartbeat } from '../slots/worker-heartbeat.js';
import { WorkerSlots } from '../slots/worker-slots.js';
import { InFlightRuns } from './in-flight-runs.js';
import { RunAttempts } from './run-attempts.js';
import { RunsAhead } from './runs-ahead.js';

/** An attempt that is under way in a slot. */
interface AttemptInSlot {
  /** Once the handler has answered: the run that follows in the slot at once; null when none was claimed ahead. */
  readonly next: Promise<ClaimedRun | null>;
  /** Whether the slot is given up although runs of the tenant may wait, once the end is written. */
  readonly givesUp: Promise<boolean>;
}

/**
 * Attempts runs in `worker_count` slots, of which one tenant may hold only its share: runs that are accepted in this
 * process while a slot is free, runs of tenants of which it hears that some wait, and after each run the tenant's next.
 */
@Injectable()
export class RunWorker implements BackgroundService, WakeUpTaker {
  readonly name = 'run worker';
  private readonly logger = new Logger(RunWorker.name);
  private readonly inFlight = new InFlightRuns();
  /** Attempts, including the follow-up of their end, that a shutdown waits for. */
  private readonly unfinished = new Set<Promise<void>>();
  private readonly slots: WorkerSlots;
  private readonly ahead: RunsAhead;
  /** Runs whose handler was called here, but the end of the attempt could not be written. */
  private readonly unwritten = new Set<string>();
  /** Adopted runs that wait for a slot here. */
  private readonly orphans = new Map<string, ClaimedRun>();
  /** Tenants of which runs wait, in the order in which this worker heard of it and had no slot to offer. */
  private readonly woken = new Map<TenantId, TenantWakeUp>();
  private isDraining = false;
  /** Attempts that are still in flight have been aborted, and a claim that returns now is given back. */
  private isShutDown = false;

  constructor(
    private readonly wakeUps: RunWakeUps,
    private readonly dispatcher: RunDispatcher,
    private readonly pump: RunPump,
    private readonly attempts: RunAttempts,
    private readonly heartbeat: WorkerHeartbeat,
    private readonly ends: RunEnds,
    changes: CacheInvalidation,
  ) {
    this.slots = new WorkerSlots(heartbeat.slots, heartbeat.tenantSlots);
    this.ahead = new RunsAhead(heartbeat.tenantSlots, heartbeat.timing.aheadMs);
    changes.onChange((change) => {
      if (change !== 'everything' && change.kind === 'run_taken') this.inFlight.abort(change.id, 'taken');
    });
  }

  get workerId(): string {
    return this.heartbeat.workerId;
  }

  async start(): Promise<void> {
    await this.heartbeat.start((assigned, askedAt) => this.reconcile(assigned, askedAt));
    this.wakeUps.startTaking(this);
  }

  async drain(limitMs: number): Promise<void> {
    this.startDraining();
    await this.wakeUps.stopTaking();
    await this.leaveToOthers();
    const deadline = setTimeout(() => {
      this.shutDown();
    }, limitMs);
    await this.finished();
    clearTimeout(deadline);
    this.shutDown();
  }

  async stop(): Promise<void> {
    this.shutDown();
    // After a start that failed nothing was drained.
    await this.wakeUps.stopTaking();
    await this.finished();
    await this.leaveToOthers();
    await this.heartbeat.stop();
  }

  async begin<Result extends { readonly claimed: readonly ClaimedRun[] }>(
    tenantId: TenantId,
    claim: (slots: number) => Promise<Result>,
  ): Promise<Result> {
    if (this.isDraining || !this.slots.take(tenantId)) return await claim(0);
    const result = await this.fill(tenantId, 1, () => claim(1));
    // The call of the handler goes out first: written before it, the answer to the trigger would delay it by a sixth of its time.
    if (result.claimed.length > 0) await immediate();
    return result;
  }

  wake(tenantIds: readonly TenantId[]): void {
    for (const tenantId of tenantIds) this.woken.set(tenantId, { tenantId, passes: 0 });
    this.useFreeSlots();
  }

  async ready(): Promise<void> {
    while (!this.mayTake()) await this.slots.whenFree(this.heartbeat.timing.checkMs);
  }

  async readySoon(): Promise<boolean> {
    return await this.soon(() => this.mayTake());
  }

  async take(wakeUp: TenantWakeUp): Promise<boolean> {
    const { tenantId } = wakeUp;
    this.woken.set(tenantId, wakeUp);
    if (this.isDraining) {
      this.trackAside(this.leaveToOthers());
      return true;
    }
    this.useFreeSlots();
    if (await this.soon(() => !this.woken.has(tenantId) || this.isDraining)) return true;
    this.woken.delete(tenantId);
    return false;
  }

  /** Waits for what a free slot makes true, as long as a wake-up may be kept from other workers. */
  private async soon(isTrue: () => boolean): Promise<boolean> {
    const limit = performance.now() + this.heartbeat.timing.holdMs;
    while (!isTrue() && performance.now() < limit) await this.slots.whenFree(limit - performance.now());
    return isTrue();
  }

  /** While it drains, it passes on what it takes. */
  private mayTake(): boolean {
    return !this.slots.isFull || this.isDraining;
  }

  private useFreeSlots(): void {
    for (const [id, run] of this.orphans) {
      if (!this.slots.take(run.tenantId)) continue;
      this.orphans.delete(id);
      this.track(this.runInSlot(run));
    }
    for (const tenantId of this.ahead.waiting())
      while (this.slots.take(tenantId)) {
        const run = this.ahead.take(tenantId);
        if (run === null) {
          this.slots.release(tenantId);
          break;
        }
        this.track(this.runInSlot(run));
      }
    for (const [tenantId, wakeUp] of this.woken) {
      if (this.isDraining || this.slots.isFull) return;
      this.woken.delete(tenantId);
      if (this.slots.isWithinShare(tenantId)) this.trackAside(this.claimWaiting(tenantId));
      else this.trackAside(this.forward(wakeUp));
    }
  }

  /** Claims runs of the tenant for all slots that it may have here. If more wait, others hear of it. */
  private async claimWaiting(tenantId: TenantId): Promise<void> {
    let slots = 0;
    while (this.slots.take(tenantId)) slots += 1;
    if (slots === 0) return;
    const { hasRoom } = await this.fill(tenantId, slots, () => this.pump.claimRuns(tenantId, slots));
    // Fewer were claimed where an exchange has not looked behind all that are blocked.
    if (hasRoom) await this.dispatcher.wakeUp(tenantId);
  }

  /** The tenant holds its share here and claims its next run with each end. Other workers may have slots for it. */
  private async forward(wakeUp: TenantWakeUp): Promise<void> {
    const { firstPassMs, longestPassMs } = this.heartbeat.timing;
    await this.dispatcher.forward(
      wakeUp,
      Math.min(firstPassMs * 2 ** Math.min(wakeUp.passes, 10), longestPassMs),
    );
  }

  /** Makes a claim for slots that were taken for the tenant, and attempts there what it returns. */
  private async fill<Result extends { readonly claimed: readonly ClaimedRun[] }>(
    tenantId: TenantId,
    slots: number,
    claim: () => Promise<Result>,
  ): Promise<Result> {
    let used = 0;
    try {
      const result = await this.inFlight.trackClaimed(claim);
      for (const run of result.claimed) this.track(this.runInSlot(run));
      used = result.claimed.length;
      return result;
    } finally {
      for (; used < slots; used += 1) this.slots.release(tenantId);
      this.useFreeSlots();
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

  private async leaveToOthers(): Promise<void> {
    const tenantIds = [...this.woken.keys()];
    this.woken.clear();
    await this.dispatcher.wakeUp(...tenantIds);
  }

  /** Lets work that no run waits for go on beside the attempts. */
  private trackAside(work: Promise<void>): void {
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

  /** Runs that were claimed ahead get their slots while others finish. */
  private async finished(): Promise<void> {
    while (this.unfinished.size > 0) await Promise.allSettled(this.unfinished);
  }

  /**
   * Attempts the run, and then the runs that follow in its slot. While every slot is busy it does so only for a while, because
   * that reserves the slot for the tenant; the queue then decides which tenant is next.
   */
  private async runInSlot(first: ClaimedRun): Promise<void> {
    const { tenantId } = first;
    const takenAt = performance.now();
    let givesUp = false;
    for (let run: ClaimedRun | null = first; run !== null;) {
      const attempt = this.attempt(run, takenAt);
      run = await attempt.next;
      if (run !== null) this.track(attempt.givesUp.then(() => undefined));
      else {
        givesUp = await attempt.givesUp;
        run = givesUp ? null : this.ahead.take(tenantId);
      }
    }
    if (this.slots.release(tenantId) === 0) this.ahead.forget(tenantId);
    this.useFreeSlots();
    if (givesUp) await this.dispatcher.wakeUp(tenantId);
  }

  private attempt(run: ClaimedRun, takenAt: number): AttemptInSlot {
    const { tenantId } = run;
    const calledAt = performance.now();
    let follow = (_next: ClaimedRun | null): void => undefined;
    const next = new Promise<ClaimedRun | null>((resolve) => (follow = resolve));
    let keepsSlot: boolean | null = null;
    const finishing = this.execute(run, async (claim) => {
      const isFirstTry = keepsSlot === null;
      keepsSlot ??= this.keepsSlot(takenAt);
      const following =
        keepsSlot && isFirstTry ? this.ahead.next(tenantId, performance.now() - calledAt) : null;
      const asked = keepsSlot && isFirstTry ? this.ahead.ask(tenantId, following !== null) : 0;
      follow(following);
      let claimed: readonly ClaimedRun[] = [];
      try {
        const result = await this.inFlight.trackClaimed(() => claim(asked));
        ({ claimed } = result);
        return result;
      } finally {
        this.ahead.add(tenantId, asked, claimed);
      }
    });
    const givesUp = finishing.then(
      ({ written, isWaiting }) => {
        if (written !== null) this.trackAside(this.ends.followUp(written));
        return isWaiting && keepsSlot !== true;
      },
      (error: unknown) => {
        // The run now belongs to this worker only in the database. A heartbeat releases it.
        this.logger.error(error, 'an attempt failed unexpectedly');
        return true;
      },
    );
    void givesUp.then(() => {
      follow(null);
      this.useFreeSlots();
    });
    return { next, givesUp };
  }

  /** Whether the tenant's next run may use a slot that the tenant has held since `takenAt`. */
  private keepsSlot(takenAt: number): boolean {
    if (this.isDraining || this.orphans.size > 0) return false;
    return !this.slots.isFull || performance.now() - takenAt < this.heartbeat.timing.stayMs;
  }

  private async execute(
    run: ClaimedRun,
    claiming: Parameters<RunAttempts['execute']>[2],
  ): Promise<FinishedAttempt> {
    // The claim returned during shutdown, after the runs in flight were aborted.
    if (this.isShutDown) this.inFlight.abort(run.id, 'shutdown');
    try {
      return await this.attempts.execute(run, this.inFlight.signalOf(run), claiming);
    } catch (error) {
      this.unwritten.add(keyOf(run));
      throw error;
    } finally {
      this.inFlight.end(run);
    }
  }

  private async reconcile(assigned: readonly RunAtFence[], askedAt: number): Promise<void> {
    this.inFlight.abortAllExcept(assigned, askedAt);
    // The database assigns these runs to this worker, but no slot executes them. Without this, they would stay
    // running for ever.
    const lost: RunAtFence[] = [];
    for (const run of this.inFlight.untracked(assigned)) if (!(await this.adopt(run))) lost.push(run);
    if (lost.length > 0) await this.ends.recoverUntracked(this.heartbeat.workerId, lost);
    for (const run of lost) this.unwritten.delete(keyOf(run));
  }

  /**
   * Attempts a run whose claim committed although its reply was lost with the connection: its handler has not been
   * called. Returns false when the run must be taken from this worker.
   */
  private async adopt(run: RunAtFence): Promise<boolean> {
    if (this.mustStop() || this.unwritten.has(keyOf(run))) return false;
    const { claimed } = await this.inFlight.trackClaimed(async () => {
      const found = await this.heartbeat.findClaimed(run);
      return { claimed: found === null ? [] : [found] };
    });
    if (this.mustStop()) {
      for (const found of claimed) this.inFlight.end(found);
      return claimed.length === 0;
    }
    for (const found of claimed) this.orphans.set(found.id, found);
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
