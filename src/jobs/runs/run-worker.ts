import { Injectable, Logger } from '@nestjs/common';
import { ChangeFeed } from '../../events/index.js';
import type { Duty } from '../../platform/lifecycle/index.js';
import { DeferredRuns } from './deferred-runs.js';
import { LostRuns } from './lost-runs.js';
import type { ClaimedRun } from './run.js';
import { RunAttempts } from './run-attempts.js';
import type { EndedAttempt } from './run-attempts.js';
import { RunClaims } from './run-claims.js';
import type { LeftRoom } from './run-end.repository.js';
import { RunHints } from './run-hints.js';
import type { TakenHint } from './run-hints.js';
import { RunsAtWork } from './runs-at-work.js';
import type { RunAtFence } from './waiting-run.js';
import { WorkerHeartbeat } from './worker-heartbeat.js';
import { WorkerShares } from './worker-shares.js';

/** Takes hints from Bull, `worker_count` at a time, and attempts the runs that they name, of one tenant a share only. */
@Injectable()
export class RunWorker implements Duty {
  readonly name = 'run worker';
  private readonly logger = new Logger(RunWorker.name);
  private readonly atWork = new RunsAtWork();
  /** What a shutdown waits for: attempts, with the telling of their end. */
  private readonly unfinished = new Set<Promise<void>>();
  private readonly shares: WorkerShares;
  private isDraining = false;
  /** From here on a hint is someone else's. */
  private isShutDown = false;

  constructor(
    private readonly hints: RunHints,
    private readonly deferred: DeferredRuns,
    private readonly claims: RunClaims,
    private readonly attempts: RunAttempts,
    private readonly heartbeat: WorkerHeartbeat,
    private readonly lostRuns: LostRuns,
    changes: ChangeFeed,
  ) {
    this.shares = new WorkerShares(heartbeat.tenantSlots);
    changes.onChange((change) => {
      if (change !== 'everything' && change.kind === 'run_taken') this.atWork.breakOff(change.id, 'taken');
    });
  }

  async start(): Promise<void> {
    this.deferred.start((tenantId) => this.shares.hasRoom(tenantId));
    await this.heartbeat.start((held, askedAt) => this.compare(held, askedAt));
    this.hints.startTaking(this.heartbeat.slots, (hint) => this.take(hint));
  }

  async drain(limitMs: number): Promise<void> {
    this.isDraining = true;
    await this.hints.stopTaking();
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
    this.atWork.breakOffAll('shutdown');
  }

  private async take(hint: TakenHint): Promise<void> {
    const tenantId = hint.tenantId ?? (await this.claims.tenantOf(hint.runId));
    // Without a tenant the run is gone. One that is at work here came a second time; the first attempt goes on.
    if (tenantId === null || this.isShutDown || this.atWork.has(hint.runId)) return;
    this.deferred.came(hint, tenantId);
    // A slot that was waiting for a hint when the queue was paused may still be given one.
    if (this.isDraining) {
      await this.deferred.leave(hint);
      return;
    }
    if (!this.shares.take(tenantId)) {
      this.deferred.add(hint, tenantId);
      return;
    }
    const work = this.workInSlot(hint, tenantId);
    this.unfinished.add(work);
    await work;
    this.unfinished.delete(work);
  }

  /** The slot is given up before others are called for it, or this worker would find their tenant at its share. */
  private async workInSlot(hint: TakenHint, tenantId: string): Promise<void> {
    const left = await this.workOn(hint, tenantId);
    if (this.shares.release(tenantId) === 0) this.deferred.forget(tenantId);
    try {
      if (await this.deferred.callNext(tenantId)) return;
      if (left !== null) await this.claims.passOn(left);
    } catch (error) {
      this.logger.warn(error, 'could not hand room on; the sweeper will');
    }
  }

  /**
   * Attempts the run, and then whatever waits for the room that it leaves.
   * @returns room that is left to whichever worker the queue gives the next run
   */
  private async workOn(hint: TakenHint, tenantId: string): Promise<LeftRoom | null> {
    try {
      let run = await this.claim(hint.runId);
      // Others may be parked for having come to a worker where their tenant holds its share.
      if (run !== null && hint.passes > 0) await this.claims.passOn(run);
      while (run !== null) {
        const parks = this.deferred.parksOf(tenantId);
        const ended = await this.carryOut(run);
        await ended.tell();
        const room = ended.room ?? (this.deferred.parksOf(tenantId) === parks ? null : run);
        if (this.isDraining || this.unfinished.size >= this.heartbeat.slots) return room;
        run = await this.next(tenantId, room);
      }
    } catch (error) {
      // The run stays ours by the database alone, and the next beat gives it up.
      this.logger.error(error, `an attempt of ${hint.runId} broke off, or of a run after it`);
    }
    return null;
  }

  private async claim(runId: string): Promise<ClaimedRun | null> {
    const signal = this.atWork.begin(runId);
    let run: ClaimedRun | null = null;
    try {
      run = await this.claims.claim(runId);
      if (run !== null) this.atWork.claimed(run);
    } finally {
      if (run === null) this.atWork.end(runId, signal);
    }
    return run;
  }

  /** Ends before the retry's hint goes out: another slot may have it at once, and would take it for a double. */
  private async carryOut(run: ClaimedRun): Promise<EndedAttempt> {
    const signal = this.atWork.signalOf(run.id) ?? AbortSignal.abort('taken');
    // It came while we shut down: too late to be among those that were broken off.
    if (this.isShutDown) this.atWork.breakOff(run.id, 'shutdown');
    try {
      return await this.attempts.carryOut(run, signal);
    } finally {
      this.atWork.end(run.id, signal);
    }
  }

  /**
   * What waits for the room is claimed here and now, which leaves it empty for no longer than a statement takes. Not
   * with every slot at work: that would keep this one for the tenant, so then the queue decides whose turn it is.
   */
  private async next(tenantId: string, room: LeftRoom | null): Promise<ClaimedRun | null> {
    for (let runId = this.deferred.next(tenantId); runId !== null; runId = this.deferred.next(tenantId)) {
      const run = this.atWork.has(runId) ? null : await this.claim(runId);
      if (run !== null) return run;
    }
    if (room === null) return null;
    for (;;) {
      const parks = this.deferred.parksOf(tenantId);
      const run = await this.atWork.claiming(() => this.claims.claimParked(room));
      // What was parked meanwhile may not have been seen.
      if (run !== null || this.deferred.parksOf(tenantId) === parks) return run;
    }
  }

  private async compare(held: readonly RunAtFence[], askedAt: number): Promise<void> {
    this.atWork.breakOffAllBut(held, askedAt);
    // Runs that are ours by the database while nothing here works on them would otherwise stay so for good.
    const forgotten = this.atWork.forgotten(held);
    if (forgotten.length > 0) await this.lostRuns.forgotten(forgotten);
  }
}
