import { InjectQueue } from '@nestjs/bull';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Job, Queue } from 'bull';
import { setMaxListeners } from 'node:events';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import type { Duty } from '../../platform/lifecycle/index.js';
import { QueueConnection, RUN_QUEUE } from '../../platform/queue/index.js';
import type { RunHint } from '../../platform/queue/index.js';
import { LostRuns } from './lost-runs.js';
import { RunAttempts } from './run-attempts.js';
import type { AfterAttempt } from './run-attempts.js';
import type { WaitingRun } from './run-claim.repository.js';
import { WorkerHeartbeat } from './worker-heartbeat.js';

/** Takes hints from Bull, `worker_count` at a time, and attempts the runs that they name. */
@Injectable()
export class RunWorker implements Duty {
  readonly name = 'run worker';
  private readonly logger = new Logger(RunWorker.name);
  private readonly shutdown = new AbortController();
  /** Runs from before their claim to after their written end. */
  private readonly atWork = new Set<string>();
  /** What a shutdown waits for: attempts, with the telling of their end. */
  private readonly unfinished = new Set<Promise<void>>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @InjectQueue(RUN_QUEUE) private readonly queue: Queue<RunHint>,
    private readonly connection: QueueConnection,
    private readonly attempts: RunAttempts,
    private readonly heartbeat: WorkerHeartbeat,
    private readonly lostRuns: LostRuns,
  ) {
    // Each call in progress listens; Node takes more than ten for a leak.
    setMaxListeners(0, this.shutdown.signal);
  }

  async start(): Promise<void> {
    await this.heartbeat.start((held) => this.giveUpForgotten(held));
    this.queue.on('error', (error) => {
      this.logger.debug(error.message);
    });
    // Resolves when the queue closes; fails only with it.
    this.queue
      .process(this.config.jobs.workerCount, (hint) => this.take(hint))
      .catch((error: unknown) => {
        if (!this.shutdown.signal.aborted) this.logger.error(error, 'the queue stopped handing out runs');
      });
  }

  async drain(limitMs: number): Promise<void> {
    // Without Redis there is nothing to take, and pausing would wait for it.
    if (this.connection.isConnected) await this.queue.pause(true, true);
    const deadline = setTimeout(() => {
      this.shutdown.abort();
    }, limitMs);
    await Promise.allSettled(this.unfinished);
    clearTimeout(deadline);
    this.shutdown.abort();
  }

  async stop(): Promise<void> {
    this.shutdown.abort();
    await Promise.allSettled(this.unfinished);
    await this.heartbeat.stop();
  }

  private async take(hint: Job<RunHint>): Promise<void> {
    const { runId } = hint.data;
    // Bull gave the run to us a second time; the first attempt goes on.
    if (this.atWork.has(runId)) return;
    const attempt = this.attempt(runId);
    this.unfinished.add(attempt);
    await attempt;
    this.unfinished.delete(attempt);
  }

  private async attempt(runId: string): Promise<void> {
    try {
      const tell = await this.attemptUntilWritten(runId);
      await tell();
    } catch (error) {
      // The run stays ours by the database alone, and the next beat gives it up.
      this.logger.error(error, `an attempt of ${runId} broke off`);
    }
  }

  /** Ends before the retry's hint goes out: another slot may have it at once, and would take it for a double. */
  private async attemptUntilWritten(runId: string): Promise<AfterAttempt> {
    this.atWork.add(runId);
    try {
      return await this.attempts.attempt(runId, this.heartbeat.workerId, this.shutdown.signal);
    } finally {
      this.atWork.delete(runId);
    }
  }

  /** Runs that are ours by the database while nothing here works on them would otherwise stay so for good. */
  private async giveUpForgotten(held: readonly WaitingRun[]): Promise<void> {
    const forgotten = held.filter((run) => !this.atWork.has(run.id));
    if (forgotten.length > 0) await this.lostRuns.forgotten(forgotten);
  }
}
