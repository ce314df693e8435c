import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../audit/index.js';
import type { Reader, Tx } from '../../../platform/database/index.js';
import { ServiceError } from '../../../platform/http/index.js';
import type { Origin } from '../../../platform/http/index.js';
import { PasswordGuesses } from '../../guessing/password-guesses.js';
import type { UserEntity } from '../../users/user.entity.js';
import { UserRepository } from '../../users/user.repository.js';
import type { RealmId } from '../../users/user.repository.js';

/** The accounts that invited people have already. */
@Injectable()
export class InvitedAccounts {
  constructor(
    private readonly users: UserRepository,
    private readonly guesses: PasswordGuesses,
    private readonly audit: AuditTrail,
  ) {}

  async find(handle: Tx | Reader, realmId: RealmId, email: string): Promise<UserEntity | null> {
    return await this.users.findByEmail(handle, realmId, email);
  }

  /**
   * Proves the account by its password, without opening a session.
   * @throws invalid_credentials, rate_limited, overloaded
   */
  async prove(user: UserEntity, password: string, origin: Origin): Promise<void> {
    const account = { realmId: user.realmId as RealmId, email: user.email };
    const hash = user.disabledAt === null ? user.passwordHash : null;
    if (await this.guesses.verify(account, hash, password, origin)) return;
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
}
