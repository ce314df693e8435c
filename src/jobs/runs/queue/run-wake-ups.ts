import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { LocalWorker } from './local-worker.js';
import type { WorkerInProcess } from './local-worker.js';
import { QueueConnection } from '../../../platform/queue/index.js';

/** The Bull queue of wake-ups. It carries only ids; the runs are in the database. */
export const RUN_QUEUE = 'runs';

/** "Look at this run." A wake-up may be lost, doubled or late without harm. */
export interface RunWakeUp {
  readonly runId: string;
  readonly tenantId: string;
  /** How often workers passed it on because its tenant held its share of their slots; absent for never. */
  readonly passes?: number;
}

/** A wake-up as a worker receives it. */
export interface ReceivedWakeUp extends RunWakeUp {
  readonly passes: number;
  /** Its position in the queue. */
  readonly fairShareOrder: number;
}

/** A worker, as the queue and the rest of its process know it. */
export interface WakeUpTaker extends WorkerInProcess {
  /** Resolves once the worker can take another wake-up. */
  take(wakeUp: ReceivedWakeUp): Promise<void>;
}

/** The receiving end of the queue: wake-ups of runs that are due, in fair-share order. */
@Injectable()
export class RunWakeUps {
  private readonly logger = new Logger(RunWakeUps.name);
  private isStopped = false;

  constructor(
    @InjectQueue(RUN_QUEUE) private readonly queue: Queue<RunWakeUp>,
    private readonly connection: QueueConnection,
    private readonly local: LocalWorker,
  ) {}

  /** Passes wake-ups to the worker one after the other, and lets this process begin runs in its free slots. */
  startTaking(worker: WakeUpTaker): void {
    this.local.set(worker);
    this.queue.on('error', (error) => {
      this.logger.debug(error.message);
    });
    // Resolves when the queue closes, and rejects only together with the queue.
    this.queue
      .process(({ data, opts }) =>
        worker.take({ ...data, passes: data.passes ?? 0, fairShareOrder: opts.priority ?? 1 }),
      )
      .catch((error: unknown) => {
        if (!this.isStopped) this.logger.error(error, 'the queue stopped handing out runs');
      });
  }

  /** Stops taking wake-ups on this instance. Those already taken are processed to their end. */
  async stopTaking(): Promise<void> {
    this.isStopped = true;
    this.local.set(null);
    if (this.connection.isConnected) {
      await this.queue.pause(true, true);
      return;
    }
    // Without Redis there is nothing to take, and pausing would wait for Redis.
    this.connection.client.once('ready', () => {
      this.queue.pause(true, true).catch((error: unknown) => {
        this.logger.debug(error);
      });
    });
  }
}
