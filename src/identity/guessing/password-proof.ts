import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../platform/http/index.js';
import type { Origin } from '../../platform/http/index.js';
import { PasswordGuesses } from './password-guesses.js';
import type { UserEntity } from '../users/user.entity.js';
import { UserRepository } from '../users/user.repository.js';
import type { RealmId } from '../users/user.repository.js';

/** The password once more, where an access token alone is not enough. */
@Injectable()
export class PasswordProof {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly guesses: PasswordGuesses,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Answers the user whose password it is, with the hash that was proven. A wrong one is recorded.
   * @throws wrong_password, rate_limited, overloaded, invalid_access_token when the account is gone
   */
  async require(
    userId: string,
    password: string,
    attempt: { action: string; origin: Origin },
  ): Promise<UserEntity & { passwordHash: string }> {
    const user = await this.users.findById(this.database.reader, userId);
    if (user === null) throw new ServiceError('invalid_access_token');
    const { passwordHash, email } = user;
    const account = { realmId: user.realmId as RealmId, email };
    const matches = await this.guesses.verify(account, passwordHash, password, attempt.origin);
    if (matches && passwordHash !== null) return { ...user, passwordHash };
    await this.audit.appendAlone({
      actor: { type: 'user', id: userId },
      action: attempt.action,
      target: { type: 'user', id: userId },
      orgId: null,
      userId,
      origin: attempt.origin,
      details: { reason: 'wrong_password' },
    });
    throw new ServiceError('wrong_password');
  }
}
