import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { QueueConnection, RUN_QUEUE } from '../../../platform/queue/index.js';
import type { RunWakeUp } from '../../../platform/queue/index.js';

/** A wake-up as a worker gets it. */
export interface ReceivedWakeUp extends RunWakeUp {
  readonly passes: number;
  /** Where it stood in the queue. */
  readonly fairShareOrder: number;
}

/** The workers' end of the queue: wake-ups of runs that are due, in the order of their turns. */
@Injectable()
export class RunWakeUps {
  private readonly logger = new Logger(RunWakeUps.name);
  private isStopped = false;

  constructor(
    @InjectQueue(RUN_QUEUE) private readonly queue: Queue<RunWakeUp>,
    private readonly connection: QueueConnection,
  ) {}

  /** Hands wake-ups to `take`, as many at a time as there are slots. */
  startTaking(slots: number, take: (wakeUp: ReceivedWakeUp) => Promise<void>): void {
    this.queue.on('error', (error) => {
      this.logger.debug(error.message);
    });
    // Resolves when the queue closes; fails only with it.
    this.queue
      .process(slots, ({ data, opts }) =>
        take({ ...data, passes: data.passes ?? 0, fairShareOrder: opts.priority ?? 1 }),
      )
      .catch((error: unknown) => {
        if (!this.isStopped) this.logger.error(error, 'the queue stopped handing out runs');
      });
  }

  /** No more wake-ups to this instance. Those that were handed out go on. */
  async stopTaking(): Promise<void> {
    this.isStopped = true;
    // Without Redis there is nothing to take, and pausing would wait for it.
    if (this.connection.isConnected) await this.queue.pause(true, true);
  }
}
