import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { QueueConnection } from '../../../platform/queue/index.js';
import { RUN_QUEUE } from './run-queue.js';
import type { RunWakeUp } from './run-queue.js';

/** A wake-up as a worker receives it. */
export interface ReceivedWakeUp extends RunWakeUp {
  readonly passes: number;
  /** Its position in the queue. */
  readonly fairShareOrder: number;
}

/** The receiving end of the queue: wake-ups of runs that are due, in fair-share order. */
@Injectable()
export class RunWakeUps {
  private readonly logger = new Logger(RunWakeUps.name);
  private isStopped = false;

  constructor(
    @InjectQueue(RUN_QUEUE) private readonly queue: Queue<RunWakeUp>,
    private readonly connection: QueueConnection,
  ) {}

  /** Passes wake-ups to `take`, at most `slots` at a time. */
  startTaking(slots: number, take: (wakeUp: ReceivedWakeUp) => Promise<void>): void {
    this.queue.on('error', (error) => {
      this.logger.debug(error.message);
    });
    // Resolves when the queue closes, and rejects only together with the queue.
    this.queue
      .process(slots, ({ data, opts }) =>
        take({ ...data, passes: data.passes ?? 0, fairShareOrder: opts.priority ?? 1 }),
      )
      .catch((error: unknown) => {
        if (!this.isStopped) this.logger.error(error, 'the queue stopped handing out runs');
      });
  }

  /** Stops taking wake-ups on this instance. Those already taken are processed to their end. */
  async stopTaking(): Promise<void> {
    this.isStopped = true;
    // Without Redis there is nothing to take, and pausing would wait for Redis.
    if (this.connection.isConnected) await this.queue.pause(true, true);
  }
}
