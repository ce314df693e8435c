import { InjectQueue } from '@nestjs/bull';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Job, Queue } from 'bull';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import type { Duty } from '../../platform/lifecycle/index.js';
import { RUN_QUEUE } from '../../platform/queue/index.js';
import type { RunHint } from '../../platform/queue/index.js';
import { RunAttempts } from './run-attempts.js';
import { WorkerHeartbeat } from './worker-heartbeat.js';

/** Takes hints from Bull, `worker_count` at a time, and attempts the runs that they name. */
@Injectable()
export class RunWorker implements Duty {
  readonly name = 'run worker';
  private readonly logger = new Logger(RunWorker.name);
  private readonly shutdown = new AbortController();
  private readonly running = new Set<Promise<void>>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @InjectQueue(RUN_QUEUE) private readonly queue: Queue<RunHint>,
    private readonly attempts: RunAttempts,
    private readonly heartbeat: WorkerHeartbeat,
  ) {}

  async start(): Promise<void> {
    await this.heartbeat.start();
    this.queue.on('error', (error) => {
      this.logger.debug(error.message);
    });
    // Resolves when the queue closes; fails only with it.
    this.queue.process(this.config.jobs.workerCount, (hint) => this.take(hint)).catch((error: unknown) => {
      if (!this.shutdown.signal.aborted) this.logger.error(error, 'the queue stopped handing out runs');
    });
  }

  async drain(limitMs: number): Promise<void> {
    await this.queue.pause(true, true);
    const deadline = setTimeout(() => {
      this.shutdown.abort();
    }, limitMs);
    await Promise.allSettled(this.running);
    clearTimeout(deadline);
    this.shutdown.abort();
  }

  async stop(): Promise<void> {
    this.shutdown.abort();
    await Promise.allSettled(this.running);
    await this.heartbeat.stop();
  }

  private async take(hint: Job<RunHint>): Promise<void> {
    const attempt = this.attempts
      .attempt(hint.data.runId, this.heartbeat.workerId, this.shutdown.signal)
      .catch((error: unknown) => {
        // The run is where its last statement left it, and the sweeper finds it there.
        this.logger.error(error, `an attempt of ${hint.data.runId} broke off`);
      });
    this.running.add(attempt);
    await attempt;
    this.running.delete(attempt);
  }
}
