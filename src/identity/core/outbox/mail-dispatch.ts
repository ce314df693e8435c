import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { Queue } from 'bull';
import { RepeatedTask } from '../../../platform/lifecycle/index.js';
import type { Duty } from '../../../platform/lifecycle/index.js';
import { MAIL_QUEUE } from '../../../platform/queue/index.js';
import type { MailHint } from '../../../platform/queue/index.js';
import { MailDelivery } from './mail-delivery.js';

/** Mails handed to the mail server at one time by one instance. */
const CONCURRENCY = 4;
/** For what no hint told of. Slow: the database is asked this often while nothing is to do. */
const SWEEP_MS = 15_000;

/** Sends what is in the outbox, on instances that do background work. */
@Injectable()
export class MailDispatch implements Duty {
  readonly name = 'mail dispatch';
  private readonly logger = new Logger(MailDispatch.name);
  private readonly task: RepeatedTask;
  private readonly underway = new Set<Promise<unknown>>();
  private isDraining = false;

  constructor(
    @InjectQueue(MAIL_QUEUE) private readonly queue: Queue<MailHint>,
    private readonly delivery: MailDelivery,
    registry: SchedulerRegistry,
  ) {
    this.task = new RepeatedTask(registry, 'mail sweep', SWEEP_MS, () => this.sweep());
  }

  async start(): Promise<void> {
    this.queue.on('error', (error) => {
      this.logger.debug(error.message);
    });
    // Resolves when the queue closes; fails only with it.
    this.queue
      .process(CONCURRENCY, (hint) => this.deliver(hint.data.mailId))
      .catch((error: unknown) => {
        if (!this.isDraining) this.logger.error(error, 'the queue stopped handing out mails');
      });
    this.task.start();
    await Promise.resolve();
  }

  async drain(): Promise<void> {
    this.isDraining = true;
    await this.queue.pause(true, true);
    await Promise.allSettled(this.underway);
  }

  async stop(): Promise<void> {
    this.isDraining = true;
    await this.task.stop();
    await Promise.allSettled(this.underway);
  }

  private async deliver(mailId: string | null): Promise<boolean> {
    const delivered = this.delivery.deliver(mailId);
    this.underway.add(delivered);
    try {
      return await delivered;
    } catch (error) {
      this.logger.warn(error, 'a mail stays in the outbox until its claim ends');
      return false;
    } finally {
      this.underway.delete(delivered);
    }
  }

  /** One after the other, and no further after a failure: where the mail server is down, it is so for all. */
  private async sweep(): Promise<void> {
    while (!this.isDraining && (await this.deliver(null)));
  }
}
