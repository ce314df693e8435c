import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { sha256 } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';
import { rateLimited } from '../../limits/index.js';
import type { RealmId } from '../users/user.repository.js';
import { MailCountRepository } from './mail-count.repository.js';
import type { MailBound, MailBounds } from './mail-count.repository.js';

const DAY_SECS = 86_400;

/** A mail, as far as limits go. */
export interface MailUse {
  readonly kind: 'verify' | 'recover' | 'magic_link' | 'invite' | 'test';
  /** Where an address names one recipient: of the mails of one organization and of another alike. */
  readonly realmId: RealmId;
  readonly email: string;
  /** Who is held to a number of mails, besides the recipient: an organization or a project that invites. */
  readonly sender?: TenantId;
}

/**
 * How many mails a recipient gets and an inviter sends. Counted in PostgreSQL: what is sent cannot be taken back, so the
 * count outlives Redis, and is exact whatever happens at once.
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
    return {
      cooldownHash: sha256(`${kind}:${realmId}:${email}`),
      // Who tries settings out tries again at once.
      intervalSecs: kind === 'test' ? 0 : mailIntervalSecs,
      recipientHash: sha256(`recipient:${realmId}:${email}`),
      mailsPerRecipient,
      senderHash: sender === undefined ? null : sha256(`sender:${sender}`),
      mailsPerSender,
    };
  }

  /** Counts a mail that its sender is told of. @throws rate_limited; the transaction must not commit then */
  async count(tx: Tx, use: MailUse): Promise<void> {
    const excess = await this.counts.count(tx, this.boundsOf(use));
    if (excess === null) return;
    throw rateLimited({ policy: this.policyOf(excess.bound), resetSecs: excess.waitSecs });
  }

  /** The last mail of the kind came to nothing: another one may follow at once. */
  async endInterval(tx: Tx, use: MailUse): Promise<void> {
    await this.counts.endInterval(tx, this.boundsOf(use));
  }

  /** The mail that was counted did not leave. */
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
