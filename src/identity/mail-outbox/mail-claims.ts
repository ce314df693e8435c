import { Inject, Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import pLimit from 'p-limit';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { RepeatedTask } from '../../platform/lifecycle/index.js';
import { DeliveryAttempt } from '../../platform/mail/index.js';
import type { RealmId } from '../users/user.repository.js';
import { OutgoingMailRepository } from './outgoing-mail.repository.js';
import type { ClaimedMail } from './outgoing-mail.repository.js';

/** Mails that one instance delivers at the same time. Each waits for its server and holds no database connection. */
export const MAILS_AT_ONCE = 32;
/** The same for one realm, whose mail server may take half an hour for each. */
const MAILS_AT_ONCE_PER_REALM = 4;

/** A mail that this instance is delivering. */
export interface InFlightMail {
  readonly claimed: ClaimedMail;
  readonly attempt: DeliveryAttempt;
}

/** The mails that this instance has claimed. Claims are renewed until the delivery ends. */
@Injectable()
export class MailClaims {
  readonly timing: Config['timing']['mail'];
  private readonly logger = new Logger(MailClaims.name);
  private readonly inFlight = new Set<InFlightMail>();
  /** One at a time, so that no two take the last slot of a realm. */
  private readonly oneAtATime = pLimit(1);
  private readonly renewal: RepeatedTask;
  private renewing: Promise<unknown> = Promise.resolve();
  private isEnding = false;

  constructor(
    private readonly database: Database,
    private readonly outgoing: OutgoingMailRepository,
    @Inject(CONFIG) { timing }: Config,
    registry: SchedulerRegistry,
  ) {
    this.timing = timing.mail;
    this.renewal = new RepeatedTask(registry, 'mail claims', timing.mail.renewMs, () => this.renew());
  }

  start(): void {
    this.renewal.start();
  }

  async stop(): Promise<void> {
    await this.renewal.stop();
  }

  /** Whether a mail may have to wait for another one of this instance. */
  get isCrowded(): boolean {
    return this.inFlight.size >= MAILS_AT_ONCE || this.fullRealms().length > 0;
  }

  /**
   * Claims the mail with this id, or with null the one that has been due longest, except for mails of the realms
   * `without`. Null when there is none, or no free slot for it.
   */
  async take(mailId: string | null, without: Iterable<RealmId> = []): Promise<InFlightMail | null> {
    return await this.oneAtATime(async () => {
      if (!this.hasCapacity()) return null;
      const others = [...this.fullRealms(), ...without];
      const claimed = await this.outgoing.claimMail(
        this.database.autoCommit,
        mailId,
        others,
        this.timing.leaseSecs,
      );
      if (claimed === null) return null;
      const mail = { claimed, attempt: DeliveryAttempt.fromOutbox(claimed.id) };
      this.inFlight.add(mail);
      // The shutdown may have begun during the statement.
      if (this.isEnding) mail.attempt.stop();
      return mail;
    });
  }

  /** Stops renewing the claim. Await it before writing the outcome, or a renewal could overtake that. */
  async release(mail: InFlightMail): Promise<void> {
    this.inFlight.delete(mail);
    await this.renewing;
  }

  /**
   * Claims no more, and stops the mails that cannot have reached their servers yet. The others end with their server's
   * reply.
   */
  beginEnd(): void {
    this.isEnding = true;
    for (const { attempt } of this.inFlight) if (!attempt.isWritten) attempt.stop();
  }

  stopAll(): void {
    for (const { attempt } of this.inFlight) attempt.stop();
  }

  private hasCapacity(): boolean {
    return !this.isEnding && this.inFlight.size < MAILS_AT_ONCE;
  }

  private fullRealms(): RealmId[] {
    const counts = new Map<RealmId, number>();
    for (const { claimed } of this.inFlight)
      counts.set(claimed.realmId, (counts.get(claimed.realmId) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= MAILS_AT_ONCE_PER_REALM).map(([realmId]) => realmId);
  }

  private async renew(): Promise<void> {
    const mails = [...this.inFlight];
    if (mails.length === 0) return;
    const renewal = this.outgoing.renew(
      this.database.autoCommit,
      mails.map(({ claimed }) => claimed),
      this.timing.leaseSecs,
    );
    this.renewing = renewal.catch(() => undefined);
    const ours = await renewal;
    for (const mail of mails) {
      if (ours.has(mail.claimed.id) || !this.inFlight.has(mail) || mail.attempt.isWritten) continue;
      this.logger.warn(`mail ${mail.claimed.id} was taken over by another instance`);
      mail.attempt.stop();
    }
  }
}
