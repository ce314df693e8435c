import { Injectable } from '@nestjs/common';
import { KeyRing, randomToken } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { UserLanguages } from '../languages/index.js';
import { OneTimeTokens } from '../one-time-tokens/one-time-tokens.js';
import { UserRepository } from '../users/user.repository.js';
import type { RealmId, UserEntity } from '../users/user.repository.js';
import { AccountMails } from '../mails/account-mails.js';
import type { AccountMail, AccountNotice } from '../mails/account-mails.js';
import { outgoingMailAssociatedData, OutgoingMailRepository } from './outgoing-mail.repository.js';
import type {
  AddressChangeMail,
  ClaimedMail,
  MailWithToken,
  NoticeMail,
  OutgoingMail,
} from './outgoing-mail.repository.js';
import { RequestedAccounts } from './requested-accounts.js';

/** The recipient of a mail, and the token of its link. */
export interface MailToken {
  readonly user: UserEntity;
  readonly token: string;
}

/**
 * The one token of each mail. The first attempt creates it and keeps it in the mail's sealed row, so that every copy of
 * the mail has the same working link, however often it has to be sent.
 */
@Injectable()
export class MailTokens {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly tokens: OneTimeTokens,
    private readonly outgoing: OutgoingMailRepository,
    private readonly keys: KeyRing,
  ) {}

  /**
   * Null when the account no longer exists, disabled, or `isWanted` says no; when an earlier attempt arrived and its
   * link was used; when a newer mail replaced this one; when another instance has claimed the mail.
   */
  async of(
    claimed: ClaimedMail,
    mail: MailWithToken,
    userId: string,
    isWanted: (user: UserEntity) => boolean,
  ): Promise<MailToken | null> {
    return await this.database.transaction(async (tx) => {
      const user = await this.users.lock(tx, userId);
      if (user === null || user.disabledAt !== null || !isWanted(user)) return null;
      const token = await this.tokenFor(tx, claimed, mail, user);
      return token === null ? null : { user, token };
    });
  }

  private async tokenFor(
    tx: Tx,
    claimed: ClaimedMail,
    mail: MailWithToken,
    user: UserEntity,
  ): Promise<string | null> {
    const { kind, redirect } = mail;
    if (mail.token !== undefined)
      return (await this.tokens.renew(tx, user, kind, redirect, mail.token)) ? mail.token : null;
    const token = randomToken();
    const sealed = this.keys.seal(JSON.stringify({ ...mail, token }), outgoingMailAssociatedData(claimed.id));
    if (!(await this.outgoing.replaceMessage(tx, claimed, sealed))) return null;
    return await this.tokens.issue(tx, user, kind, redirect, token);
  }
}

/** A mail ready to be sent. */
export type ComposedMail = { readonly realmId: RealmId } & (
  { readonly mail: AccountMail } | { readonly notice: AccountNotice }
);

/** Composes a requested mail at the moment of sending. */
@Injectable()
export class MailComposer {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly accounts: RequestedAccounts,
    private readonly tokens: MailTokens,
    private readonly mails: AccountMails,
    private readonly languages: UserLanguages,
  ) {}

  /** Null when there is no longer anything to send, or nobody to send it to. */
  async compose(claimed: ClaimedMail, mail: OutgoingMail): Promise<ComposedMail | null> {
    if (mail.kind === 'notice') return await this.noticeTo(mail);
    if (mail.kind === 'change_email') return await this.changeOf(mail);
    if (mail.kind === 'verify') {
      return await this.withToken(claimed, mail, mail.userId, (user) => !user.emailVerified);
    }
    const canSend = await this.mails.canSend(mail.realmId, mail.kind);
    const user = await this.accounts.of(mail, canSend);
    if (claimed.attempt === 1 && mail.isRecorded !== true) await this.accounts.record(mail, user);
    if (user === null || !canSend) return null;
    return await this.withToken(claimed, mail, user.id, () => true);
  }

  /** Null when the account no longer exists, or has no mail server any more. Disabled users are notified as well. */
  private async noticeTo({
    userId,
    notice,
    to,
    language: accepted,
  }: NoticeMail): Promise<ComposedMail | null> {
    const user = await this.users.findById(this.database.reader, userId);
    if (user === null) return null;
    const realmId = user.realmId as RealmId;
    if (!(await this.mails.canNotify(realmId))) return null;
    const language = this.languages.choose(user.locale, accepted);
    return { realmId, notice: { notice, to: to ?? user.email, language } };
  }

  /** Null when the account no longer waits for this address. */
  private async changeOf(change: AddressChangeMail): Promise<ComposedMail | null> {
    const { userId, email: to, token, baseUrl } = change;
    const user = await this.users.findById(this.database.reader, userId);
    if (user === null || user.disabledAt !== null || user.email === to) return null;
    const realmId = user.realmId as RealmId;
    if (!(await this.mails.canSend(realmId, 'change_email'))) return null;
    const language = this.languages.choose(user.locale, change.language);
    return { realmId, mail: { purpose: 'change_email', to, token, baseUrl, language } };
  }

  private async withToken(
    claimed: ClaimedMail,
    mail: MailWithToken,
    userId: string,
    isWanted: (user: UserEntity) => boolean,
  ): Promise<ComposedMail | null> {
    const found = await this.tokens.of(claimed, mail, userId, isWanted);
    if (found === null) return null;
    const { user, token } = found;
    const { kind: purpose, baseUrl } = mail;
    const accepted = mail.kind === 'verify' ? mail.language : mail.origin?.language;
    const language = this.languages.choose(user.locale, accepted);
    return { realmId: user.realmId as RealmId, mail: { purpose, to: user.email, token, baseUrl, language } };
  }
}
