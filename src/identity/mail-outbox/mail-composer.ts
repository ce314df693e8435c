import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import { Database } from '../../platform/database/index.js';
import { AccountMails } from './account-mails.js';
import type { AccountMail } from './account-mails.js';
import { ServiceError } from '../../platform/http/index.js';
import { Accounts } from '../accounts/accounts.js';
import { SignUpRules } from '../users/sign-up-rules.js';
import type { UserEntity } from '../users/user.entity.js';
import { UserRepository } from '../users/user.repository.js';
import type { RealmId } from '../users/user.repository.js';
import { MailTokens } from './mail-tokens.js';
import type { ClaimedMail, OutgoingMail, RequestedMail } from './outgoing-mail.js';

const SUBJECT = { recover: 'recovery', magic_link: 'magic_link' } as const;

/** A mail ready to be handed over. */
export interface ComposedMail {
  readonly realmId: RealmId;
  readonly mail: AccountMail;
}

/** Turns what was asked for into a mail, at the moment of sending. */
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

  /** Null when there is nothing to send any more, or nobody to send it to. */
  async compose(claimed: ClaimedMail, mail: OutgoingMail): Promise<ComposedMail | null> {
    if (mail.kind === 'verify') {
      return await this.withToken(claimed, mail, mail.userId, (user) => !user.emailVerified);
    }
    const canSend = await this.mails.canSend(mail.realmId, mail.kind);
    const user = await this.accountOf(mail, canSend);
    if (claimed.attempt === 1) await this.record(mail, user);
    if (user === null || !canSend) return null;
    return await this.withToken(claimed, mail, user.id, () => true);
  }

  /** A magic link makes the account that an address lacks, where sign-up is open and the link can reach it. */
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
      const created = await (byProgram ? create() : this.rules.withinLimit(origin, create));
      return created ?? (await this.users.findByEmail(this.database.reader, realmId, email));
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'rate_limited') return null;
      throw error;
    }
  }

  private async withToken(
    claimed: ClaimedMail,
    mail: OutgoingMail,
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
    await this.audit.appendAlone({
      actor: { type: 'anonymous', id: null },
      action: `${SUBJECT[kind]}.${refusedFor === null ? 'requested' : 'request_refused'}`,
      target: user === null ? null : { type: 'user', id: user.id },
      orgId: null,
      userId: user?.id ?? null,
      origin,
      details: refusedFor === null ? {} : { reason: refusedFor },
    });
  }
}
