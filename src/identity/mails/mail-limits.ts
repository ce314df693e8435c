import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { sha256 } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { rateLimited } from '../../limits/index.js';
import type { RealmId } from '../users/user.repository.js';
import { isNotice } from './account-mails.js';
import type { Notice } from './account-mails.js';
import { MailCountRepository } from './mail-count.repository.js';
import type { MailBound, MailBounds } from './mail-count.repository.js';

const DAY_SECS = 86_400;

/** A mail, as the limits see it. */
export interface MailUse {
  /** A notice is a kind of its own: that a factor was added does not silence that it was removed. */
  readonly kind: 'verify' | 'recover' | 'magic_link' | 'change_email' | 'invite' | 'test' | Notice;
  /** Where an address names one recipient, whichever organization sends the mail. */
  readonly realmId: RealmId;
  readonly email: string;
  /** The sender whose mails are limited as well: an organization or a project that invites, a user who names an address. */
  readonly sender?: string;
}

/**
 * Limits on the mails that a recipient gets and an inviter sends. Counted in PostgreSQL, because mails cannot be taken
 * back: the count survives the loss of Redis and is exact under concurrency.
 */
@Injectable()
export class MailLimits {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly counts: MailCountRepository,
  ) {}

  boundsOf({ kind, realmId, email, sender }: MailUse): MailBounds {
    const { mailIntervalSecs, mailsPerRecipient, mailsPerSender } = this.config.limits;
    // Nobody uses up the notices of an account by mails that anybody may request.
    const counted = isNotice(kind) ? kind : 'recipient';
    return {
      cooldownHash: sha256(`${kind}:${realmId}:${email}`),
      // Somebody who tests mail settings tries again immediately.
      intervalSecs: kind === 'test' ? 0 : mailIntervalSecs,
      recipientHash: sha256(`${counted}:day:${realmId}:${email}`),
      mailsPerRecipient,
      senderHash: sender === undefined ? null : sha256(`sender:${sender}`),
      mailsPerSender,
    };
  }

  /** Counts a mail whose refusal the sender may learn of. @throws rate_limited; the transaction must not commit then */
  async count(tx: Tx, use: MailUse): Promise<void> {
    const excess = await this.counts.count(tx, this.boundsOf(use));
    if (excess === null) return;
    throw rateLimited({ policy: this.policyOf(excess.bound), resetSecs: excess.waitSecs });
  }

  /** Ends the cooldown after a mail that was never sent, so that another may follow immediately. */
  async endInterval(tx: Tx, use: MailUse): Promise<void> {
    await this.counts.endInterval(tx, this.boundsOf(use));
  }

  /** Undoes the count of a mail that was not sent. */
  async giveBack(use: MailUse): Promise<void> {
    await this.counts.giveBack(this.database.autoCommit, this.boundsOf(use));
  }

  private policyOf(bound: MailBound): { setting: string; quota: number; windowSecs: number } {
    const { mailIntervalSecs, mailsPerRecipient, mailsPerSender } = this.config.limits;
    if (bound === 'interval')
      return { setting: 'mail_interval_secs', quota: 1, windowSecs: mailIntervalSecs };
    return bound === 'recipient'
      ? { setting: 'mails_per_recipient', quota: mailsPerRecipient, windowSecs: DAY_SECS }
      : { setting: 'mails_per_sender', quota: mailsPerSender, windowSecs: DAY_SECS };
  }
}
