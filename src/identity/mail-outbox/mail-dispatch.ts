import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { Queue } from 'bull';
import pTimeout from 'p-timeout';
import { RepeatedTask } from '../../platform/lifecycle/index.js';
import type { BackgroundService } from '../../platform/lifecycle/index.js';
import type { RealmId } from '../users/user.repository.js';
import { MailClaims, MAILS_AT_ONCE } from './mail-claims.js';
import type { InFlightMail } from './mail-claims.js';
import { MailDelivery } from './mail-delivery.js';
import { MAIL_QUEUE } from './mail-outbox.js';
import type { MailWakeUp } from './mail-outbox.js';

/** Sends what is in the outbox, on instances that do background work. */
@Injectable()
export class MailDispatch implements BackgroundService {
  readonly name = 'mail dispatch';
  private readonly logger = new Logger(MailDispatch.name);
  private readonly task: RepeatedTask;
  private readonly underway = new Set<Promise<void>>();
  /** Realms whose mail servers failed since the last sweep. */
  private readonly unserved = new Set<RealmId>();
  /** Whether mails may be due that get no further wake-up, because theirs came while no slot was free. */
  private hasBacklog = false;
  private isDraining = false;

  constructor(
    @InjectQueue(MAIL_QUEUE) private readonly queue: Queue<MailWakeUp>,
    private readonly delivery: MailDelivery,
    private readonly claims: MailClaims,
    registry: SchedulerRegistry,
  ) {
    this.task = new RepeatedTask(registry, 'mail sweep', claims.timing.sweepMs, () => this.sweep());
  }

  async start(): Promise<void> {
    this.queue.on('error', (error) => {
      this.logger.debug(error.message);
    });
    // Resolves when the queue closes; fails only with it.
    this.queue
      .process(MAILS_AT_ONCE, (wakeUp) => this.takeWakeUp(wakeUp.data.mailId))
      .catch((error: unknown) => {
        if (!this.isDraining) this.logger.error(error, 'the queue stopped handing out mails');
      });
    this.claims.start();
    this.task.start();
    await Promise.resolve();
  }

  /**
   * Gives a mail that cannot have reached its server back to other instances. Waits for one that may have, since
   * another attempt might deliver it twice.
   */
  async drain(limitMs: number): Promise<void> {
    this.isDraining = true;
    this.claims.beginEnd();
    const endsAt = performance.now() + limitMs;
    await this.queue.pause(true, true);
    const milliseconds = Math.max(endsAt - performance.now(), 1);
    await pTimeout(Promise.allSettled(this.underway), { milliseconds, message: false });
    this.claims.stopAll();
    await Promise.allSettled(this.underway);
  }

  async stop(): Promise<void> {
    this.isDraining = true;
    this.claims.beginEnd();
    this.claims.stopAll();
    await this.task.stop();
    await Promise.allSettled(this.underway);
    await this.claims.stop();
  }

  private async takeWakeUp(mailId: string): Promise<void> {
    const mail = await this.claims.take(mailId);
    if (mail === null) this.hasBacklog ||= this.claims.isCrowded;
    else await this.work(mail);
  }

  /** Claims due mails while slots are free, without waiting for a mail server. */
  private async sweep(): Promise<void> {
    this.unserved.clear();
    this.hasBacklog = true;
    for (let mail = await this.next(); mail !== null; mail = await this.next()) void this.work(mail);
  }

  private async next(): Promise<InFlightMail | null> {
    if (!this.hasBacklog || this.isDraining) return null;
    const mail = await this.claims.take(null, this.unserved);
    // A mail server that is down is down for all of its mails: they wait for the next sweep.
    if (mail === null) this.hasBacklog = this.claims.isCrowded;
    return mail;
  }

  /** Delivers the mail, and then those that waited for its slot. */
  private async work(first: InFlightMail): Promise<void> {
    const working = this.deliverInTurn(first);
    this.underway.add(working);
    await working;
    this.underway.delete(working);
  }

  private async deliverInTurn(first: InFlightMail): Promise<void> {
    for (let mail: InFlightMail | null = first; mail !== null; mail = await this.next()) {
      const { realmId } = mail.claimed;
      try {
        const outcome = await this.delivery.attempt(mail);
        if (outcome === 'unserved') this.unserved.add(realmId);
      } catch (error) {
        this.logger.warn(error, 'a mail stays in the outbox until its claim ends');
        return;
      } finally {
        await this.claims.release(mail);
      }
    }
  }
}
