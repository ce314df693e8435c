import { Injectable } from '@nestjs/common';
import { accountEvent, ANONYMOUS, AuditTrail } from '../../audit/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import { Accounts } from '../accounts/accounts.js';
import { SignUpRules } from '../users/sign-up-rules.js';
import { UserRepository } from '../users/user.repository.js';
import type { UserEntity } from '../users/user.repository.js';
import type { RequestedMail } from './outgoing-mail.repository.js';
import { NO_METADATA } from '../users/metadata.js';

const SUBJECT = { recover: 'recovery', magic_link: 'magic_link' } as const;

/** The accounts of addresses for which anyone can ask for a mail. */
@Injectable()
export class RequestedAccounts {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly accounts: Accounts,
    private readonly audit: AuditTrail,
    private readonly rules: SignUpRules,
  ) {}

  /** A magic link creates an account for an address without one, where sign-up is open and the mail can be sent. */
  async of(mail: RequestedMail, canSend: boolean): Promise<UserEntity | null> {
    const { kind, realmId, email, origin, byProgram = false } = mail;
    const known = await this.users.findByEmail(this.database.reader, realmId, email);
    if (known !== null || kind !== 'magic_link' || !canSend || !this.rules.isOpen) return known;
    const account = { email, passwordHash: null, emailVerified: false, metadata: NO_METADATA };
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

  /** @param user null for an address without an account */
  async record({ kind, origin }: RequestedMail, user: UserEntity | null): Promise<void> {
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
