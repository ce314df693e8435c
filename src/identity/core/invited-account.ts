import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../platform/http/index.js';
import type { Origin } from '../../platform/http/index.js';
import { Accounts } from './accounts.js';
import { NewPassword } from './new-password.js';
import { PasswordHasher } from './password-hasher.js';
import { Sessions } from './sessions.js';
import type { TokenPair } from './sessions.js';
import type { UserEntity } from './user.entity.js';
import { UserRepository } from './user.repository.js';
import type { RealmId } from './user.repository.js';

/** Accounts of invited people: whoever holds the invitation's link has shown that the address is theirs. */
@Injectable()
export class InvitedAccounts {
  constructor(
    private readonly users: UserRepository,
    private readonly accounts: Accounts,
    private readonly newPassword: NewPassword,
    private readonly hasher: PasswordHasher,
    private readonly sessions: Sessions,
    private readonly audit: AuditTrail,
  ) {}

  async find(handle: Tx | Reader, realmId: RealmId, email: string): Promise<UserEntity | null> {
    return await this.users.findByEmail(handle, realmId, email);
  }

  /** To be called before the transaction: it takes a core for a while. @throws validation_failed, overloaded */
  async hash(password: string): Promise<string> {
    return await this.newPassword.hash(password);
  }

  /** Proves the account by its password, without opening a session. @throws invalid_credentials, overloaded */
  async prove(user: UserEntity, password: string, origin: Origin): Promise<void> {
    const matches = await this.hasher.verify(user.passwordHash, password);
    if (matches && user.disabledAt === null) return;
    await this.audit.appendAlone({
      actor: { type: 'anonymous', id: null },
      action: 'session.sign_in_refused',
      target: { type: 'user', id: user.id },
      orgId: null,
      userId: user.id,
      origin,
      details: { reason: user.disabledAt === null ? 'wrong_password' : 'disabled', by: 'invitation' },
    });
    throw new ServiceError('invalid_credentials');
  }

  /** Creates an account with the address verified and signs it in; null when the address has an account. */
  async create(
    tx: Tx,
    realmId: RealmId,
    account: { readonly email: string; readonly passwordHash: string },
    origin: Origin,
  ): Promise<TokenPair | null> {
    const verified = { ...account, emailVerified: true, metadata: {} };
    const user = await this.accounts.create(tx, realmId, verified, origin, { by: 'invitation' });
    return user === null ? null : await this.sessions.open(tx, user, origin, 'invitation');
  }
}
