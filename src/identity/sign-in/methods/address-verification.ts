import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { PublicUrl } from '../../../http/index.js';
import type { Origin } from '../../../http/index.js';
import { AccountMails } from '../../mail-outbox/account-mails.js';
import type { MailUse } from '../../mail-outbox/mail-limits.js';
import { MailOutbox } from '../../mail-outbox/mail-outbox.js';
import type { OutgoingMail } from '../../mail-outbox/outgoing-mail.repository.js';
import { OneTimeTokenRefusals, OneTimeTokens } from '../../one-time-tokens/one-time-tokens.js';
import { UserRepository } from '../../users/user.repository.js';
import type { RealmId, UserEntity } from '../../users/user.repository.js';
import { AddressProof } from '../address-proof.js';

/** Verification mails, in realms that send them. */
@Injectable()
export class VerificationMails {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly outbox: MailOutbox,
    private readonly mails: AccountMails,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Whether the realm sends such mails. Call it before a transaction: it may query the database. */
  async areSent(realmId: RealmId): Promise<boolean> {
    return await this.mails.canSend(realmId, 'verify');
  }

  /** Sends it when `tx` commits, unless the address has had too many mails recently. */
  async request(tx: Tx, user: UserEntity): Promise<void> {
    await this.outbox.enqueueWithinLimits(this.mailTo(user), recipientOf(user), tx);
  }

  /** Sends it again, as often as the limits of mails allow; nothing when the address is proven already. */
  async resend(userId: string): Promise<void> {
    const user = await this.users.findById(this.database.reader, userId);
    if (user === null || user.emailVerified || !(await this.areSent(user.realmId as RealmId))) return;
    await this.outbox.enqueueWithinLimits(this.mailTo(user), recipientOf(user));
  }

  private mailTo(user: UserEntity): OutgoingMail {
    return { kind: 'verify', userId: user.id, baseUrl: this.publicUrl.base };
  }
}

function recipientOf({ realmId, email }: UserEntity): MailUse {
  return { realmId: realmId as RealmId, email, kind: 'verify' };
}

/** Verifies the address of an account with the token of a mail to it. */
@Injectable()
export class AddressVerification {
  constructor(
    private readonly database: Database,
    private readonly proof: AddressProof,
    private readonly tokens: OneTimeTokens,
    private readonly refusals: OneTimeTokenRefusals,
  ) {}

  /** The account whose address a valid token would verify. */
  async peek(realmId: RealmId, token: string): Promise<UserEntity | null> {
    return await this.tokens.peek(this.database.reader, realmId, token, 'verify');
  }

  /** Marks the address as verified and returns its user. @throws invalid_token */
  async verify(realmId: RealmId, token: string, origin: Origin): Promise<UserEntity> {
    const verified = await this.database.transaction(async (tx) => {
      const user = await this.tokens.consume(tx, realmId, token, 'verify');
      return user === null ? null : await this.proof.bySignUpMail(tx, user, origin);
    });
    if (verified !== null) return verified;
    throw await this.refusals.refusal(realmId, 'user.email_verification_refused', token, origin);
  }
}
