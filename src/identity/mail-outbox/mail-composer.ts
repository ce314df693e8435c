import { Injectable } from '@nestjs/common';
import { accountEvent, ANONYMOUS, AuditTrail } from '../../audit/index.js';
import { KeyRing, randomToken } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import { Accounts } from '../accounts/accounts.js';
import { OneTimeTokens } from '../one-time-tokens/one-time-tokens.js';
import { SignUpRules } from '../users/sign-up-rules.js';
import { UserRepository } from '../users/user.repository.js';
import type { RealmId, UserEntity } from '../users/user.repository.js';
import { AccountMails } from './account-mails.js';
import type { AccountMail, Notice } from './account-mails.js';
import { outgoingMailPlace, OutgoingMailRepository } from './outgoing-mail.repository.js';
import type { ClaimedMail, MailWithToken, OutgoingMail, RequestedMail } from './outgoing-mail.repository.js';

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
    if (mail.token !== undefined)
      return (await this.tokens.renew(tx, user, mail.kind, mail.token)) ? mail.token : null;
    const token = randomToken();
    const sealed = this.keys.seal(JSON.stringify({ ...mail, token }), outgoingMailPlace(claimed.id));
    if (!(await this.outgoing.replaceMessage(tx, claimed, sealed))) return null;
    return await this.tokens.issue(tx, user, mail.kind, token);
  }
}

const SUBJECT = { recover: 'recovery', magic_link: 'magic_link' } as const;

/** A mail ready to be sent. */
export type ComposedMail = { readonly realmId: RealmId } & (
  { readonly mail: AccountMail } | { readonly to: string; readonly notice: Notice }
);

/** Composes a requested mail at the moment of sending. */
@Injectable()
export class MailComposer {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly accounts: Accounts,
    private readonly tokens: MailTokens,
    private readonly audit: AuditTrail,
    private readonly mails: AccountMails,
    private readonly rules: SignUpRules,
  ) {}

  /** Null when there is no longer anything to send, or nobody to send it to. */
  async compose(claimed: ClaimedMail, mail: OutgoingMail): Promise<ComposedMail | null> {
    if (mail.kind === 'notice') return await this.noticeTo(mail.userId, mail.notice);
    if (mail.kind === 'verify') {
      return await this.withToken(claimed, mail, mail.userId, (user) => !user.emailVerified);
    }
    const canSend = await this.mails.canSend(mail.realmId, mail.kind);
    const user = await this.accountOf(mail, canSend);
    if (claimed.attempt === 1 && mail.isRecorded !== true) await this.record(mail, user);
    if (user === null || !canSend) return null;
    return await this.withToken(claimed, mail, user.id, () => true);
  }

  /** A magic link creates an account for an address without one, where sign-up is open and the mail can be sent. */
  private async accountOf(mail: RequestedMail, canSend: boolean): Promise<UserEntity | null> {
    const { kind, realmId, email, origin, byProgram = false } = mail;
    const known = await this.users.findByEmail(this.database.reader, realmId, email);
    if (known !== null || kind !== 'magic_link' || !canSend || !this.rules.isOpen) return known;
    const account = { email, passwordHash: null, emailVerified: false, metadata: {} };
    const create = (): Promise<UserEntity | null> =>
      this.database.transaction((tx) =>
        this.accounts.create(tx, realmId, account, origin, { by: 'magic_link' }),
      );
    try {
      const created = await (byProgram || origin === null
        ? create()
        : this.rules.withinLimit(origin, create));
      return created ?? (await this.users.findByEmail(this.database.reader, realmId, email));
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'rate_limited') return null;
      throw error;
    }
  }

  /** Null when the account no longer exists, or has no mail server any more. Disabled users are notified as well. */
  private async noticeTo(userId: string, notice: Notice): Promise<ComposedMail | null> {
    const user = await this.users.findById(this.database.reader, userId);
    if (user === null) return null;
    const realmId = user.realmId as RealmId;
    return (await this.mails.canNotify(realmId)) ? { realmId, to: user.email, notice } : null;
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
    return { realmId: user.realmId as RealmId, mail: { purpose, to: user.email, token, baseUrl } };
  }

  private async record({ kind, origin }: RequestedMail, user: UserEntity | null): Promise<void> {
    const refusedFor = user === null ? 'unknown_address' : user.disabledAt === null ? null : 'disabled';
    await this.audit.appendAlone(
      accountEvent(user?.id ?? null, {
        actor: ANONYMOUS,
        action: `${SUBJECT[kind]}.${refusedFor === null ? 'requested' : 'request_refused'}`,
        origin,
        details: refusedFor === null ? {} : { reason: refusedFor },
      }),
    );
  }
}
