import { Inject, Injectable, Logger } from '@nestjs/common';
import { ChangeFeed } from '../../events/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import type { Duty } from '../../platform/lifecycle/index.js';
import { LostRuns } from './lost-runs.js';
import type { ClaimedRun } from './run.js';
import { RunAttempts } from './run-attempts.js';
import type { EndedAttempt } from './run-attempts.js';
import { RunClaims } from './run-claims.js';
import type { LeftRoom } from './run-end.repository.js';
import { RunHints } from './run-hints.js';
import { RunsAtWork } from './runs-at-work.js';
import type { RunAtFence } from './waiting-run.js';
import { WorkerHeartbeat } from './worker-heartbeat.js';

/** Takes hints from Bull, `worker_count` at a time, and attempts the runs that they name. */
@Injectable()
export class RunWorker implements Duty {
  readonly name = 'run worker';
  private readonly logger = new Logger(RunWorker.name);
  private readonly atWork = new RunsAtWork();
  /** What a shutdown waits for: attempts, with the telling of their end. */
  private readonly unfinished = new Set<Promise<void>>();
  private isDraining = false;
  /** From here on a hint is someone else's. */
  private isShutDown = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly hints: RunHints,
    private readonly claims: RunClaims,
    private readonly attempts: RunAttempts,
    private readonly heartbeat: WorkerHeartbeat,
    private readonly lostRuns: LostRuns,
    changes: ChangeFeed,
  ) {
    changes.onChange((change) => {
      if (change !== 'everything' && change.kind === 'run_taken') this.atWork.breakOff(change.id, 'taken');
    });
  }

  async start(): Promise<void> {
    await this.heartbeat.start((held, askedAt) => this.compare(held, askedAt));
    this.hints.startTaking(this.config.jobs.workerCount, (runId) => this.take(runId));
  }

  async drain(limitMs: number): Promise<void> {
    this.isDraining = true;
    await this.hints.stopTaking();
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
    await this.heartbeat.stop();
  }

  private shutDown(): void {
    this.isDraining = true;
    this.isShutDown = true;
    this.atWork.breakOffAll('shutdown');
  }

  private async take(runId: string): Promise<void> {
    // Bull gave the run to us a second time; the first attempt goes on.
    if (this.isShutDown || this.atWork.has(runId)) return;
    const work = this.workOn(runId);
    this.unfinished.add(work);
    await work;
    this.unfinished.delete(work);
  }

  /** Attempts the run, and then whatever waits for the room that it leaves. */
  private async workOn(runId: string): Promise<void> {
    try {
      let run = await this.claim(runId);
      while (run !== null) {
        const ended = await this.carryOut(run);
        await ended.tell();
        run = ended.room === null ? null : await this.next(ended.room);
      }
    } catch (error) {
      // The run stays ours by the database alone, and the next beat gives it up.
      this.logger.error(error, `an attempt of ${runId} broke off, or of a run after it`);
    }
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
   * What waits for the room is claimed here and now, which leaves it empty for no longer than a statement takes.
   * But with every slot at work that would keep this one for the tenant, so then the queue decides whose turn it is.
   */
  private async next(room: LeftRoom): Promise<ClaimedRun | null> {
    if (!this.isDraining && this.unfinished.size < this.config.jobs.workerCount)
      return await this.atWork.claiming(() => this.claims.claimParked(room));
    await this.claims.passOn(room);
    return null;
  }

  private async compare(held: readonly RunAtFence[], askedAt: number): Promise<void> {
    this.atWork.breakOffAllBut(held, askedAt);
    // Runs that are ours by the database while nothing here works on them would otherwise stay so for good.
    const forgotten = this.atWork.forgotten(held);
    if (forgotten.length > 0) await this.lostRuns.forgotten(forgotten);
  }
}
