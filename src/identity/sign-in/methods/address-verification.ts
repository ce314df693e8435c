import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { PublicUrl } from '../../../http/index.js';
import type { Origin } from '../../../http/index.js';
import { AccountMails } from '../../mails/account-mails.js';
import type { MailUse } from '../../mails/mail-limits.js';
import { MailOutbox } from '../../mail-outbox/mail-outbox.js';
import type { OutgoingMail } from '../../mail-outbox/outgoing-mail.repository.js';
import { OneTimeTokenRefusals, OneTimeTokens } from '../../one-time-tokens/one-time-tokens.js';
import type { FoundToken } from '../../one-time-tokens/one-time-tokens.js';
import { PageEndings } from '../../redirects/page-endings.js';
import type { PageEnding } from '../../redirects/page-endings.js';
import { RedirectUrls } from '../../redirects/redirect-urls.js';
import type { RedirectRequest } from '../../redirects/redirect-urls.js';
import type { RequestedRedirect } from '../../redirects/requested-redirect.js';
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
    private readonly redirects: RedirectUrls,
  ) {}

  /** Whether the realm sends such mails. Call it before a transaction: it may query the database. */
  async areSent(realmId: RealmId): Promise<boolean> {
    return await this.mails.canSend(realmId, 'verify');
  }

  /** Sends it when `tx` commits, unless the address has had too many mails recently. */
  async request(tx: Tx, user: UserEntity, redirect: RequestedRedirect | null, origin: Origin): Promise<void> {
    await this.outbox.enqueueWithinLimits(this.mailTo(user, redirect, origin), recipientOf(user), tx);
  }

  /**
   * Sends it again, as often as the limits of mails allow; nothing when the address is proven already.
   * @throws validation_failed for a redirect that is not allowed
   */
  async resend(userId: string, request: RedirectRequest, origin: Origin): Promise<void> {
    const user = await this.users.findById(this.database.reader, userId);
    if (user === null) return;
    await this.send(user, await this.redirects.require(user.realmId as RealmId, request), origin);
  }

  /** Sends it again to the address of an earlier one, with a redirect that was checked then. */
  async renew(
    userId: string,
    email: string,
    redirect: RequestedRedirect | null,
    origin: Origin,
  ): Promise<void> {
    const user = await this.users.findById(this.database.reader, userId);
    if (user?.email === email && user.disabledAt === null) await this.send(user, redirect, origin);
  }

  private async send(user: UserEntity, redirect: RequestedRedirect | null, origin: Origin): Promise<void> {
    if (user.emailVerified || !(await this.areSent(user.realmId as RealmId))) return;
    await this.outbox.enqueueWithinLimits(this.mailTo(user, redirect, origin), recipientOf(user));
  }

  private mailTo(
    user: UserEntity,
    redirect: RequestedRedirect | null,
    { language = null }: Origin,
  ): OutgoingMail {
    return { kind: 'verify', userId: user.id, redirect, baseUrl: this.publicUrl.base, language };
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
    private readonly endings: PageEndings,
  ) {}

  /** The account whose address a valid token would verify. */
  async peek(realmId: RealmId, token: string): Promise<FoundToken | null> {
    return await this.tokens.peek(this.database.reader, realmId, token, 'verify');
  }

  /** Marks the address as verified and returns its user. @throws invalid_token */
  async verifyAddress(realmId: RealmId, token: string, origin: Origin): Promise<UserEntity> {
    const verified = await this.database.transaction((tx) => this.redeem(tx, realmId, token, origin));
    if (verified !== null) return verified.user;
    throw await this.refusals.refusal(realmId, 'user.email_verification_refused', token, origin);
  }

  /** As `verify`, on the page of the mail. @throws invalid_token */
  async verifyOnPage(realmId: RealmId, token: string, origin: Origin): Promise<PageEnding> {
    const list = await this.endings.listOf(realmId);
    const ending = await this.database.transaction(async (tx) => {
      const verified = await this.redeem(tx, realmId, token, origin);
      if (verified === null) return null;
      return await this.endings.end(tx, verified.user, verified.redirect, 'verification', list);
    });
    if (ending !== null) return ending;
    throw await this.refusals.refusal(realmId, 'user.email_verification_refused', token, origin);
  }

  /** Opens no session, so that no verifier is needed. */
  private async redeem(tx: Tx, realmId: RealmId, token: string, origin: Origin): Promise<FoundToken | null> {
    const found = await this.tokens.consume(tx, realmId, token, 'verify', 'page');
    if (found === null) return null;
    return { ...found, user: await this.proof.bySignUpMail(tx, found.user, origin) };
  }
}
