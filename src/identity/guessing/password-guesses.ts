import { Injectable } from '@nestjs/common';
import { accountEvent, AuditTrail } from '../../audit/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { UserRepository } from '../users/user.repository.js';
import type { RealmId, UserEntity } from '../users/user.repository.js';
import { AccountAttempts } from './account-attempts.js';
import type { GuessedAccount } from './account-attempts.js';
import { StandInHashes } from './stand-in-hashes.js';

/** Verifies presented passwords, within the limits on guesses. */
@Injectable()
export class PasswordGuesses {
  constructor(
    private readonly attempts: AccountAttempts,
    private readonly hasher: PasswordHasher,
    private readonly standIns: StandInHashes,
  ) {}

  /**
   * Whether the password is the account's. One computation whether or not the account exists, and none for an attempt
   * that is refused.
   * @param hash null where no password is correct: there is no account, it has no password, or it is disabled
   * @throws rate_limited, overloaded
   */
  async verifyGuess(
    account: GuessedAccount,
    hash: string | null,
    password: string,
    origin: Origin,
  ): Promise<boolean> {
    const attempt = this.attempts.begin(account, origin);
    // Before the queue, so that attempts that are refused anyway do not wait in it.
    await attempt.requireAllowed();
    // For every account, so that the time does not tell whether there is one.
    const standIn = this.standIns.of(account);
    let matches: boolean;
    try {
      matches = await this.hasher.verifyPassword(hash, password, origin, () => attempt.count(), standIn);
    } catch (error) {
      await attempt.withdraw();
      throw error;
    }
    if (matches) await attempt.succeeded();
    else attempt.failed();
    return matches;
  }
}

/** Requires the password in addition to an access token. */
@Injectable()
export class PasswordProof {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly guesses: PasswordGuesses,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Returns the user with the hash that the password was verified against. A wrong password is recorded.
   * @throws wrong_password, rate_limited, overloaded, invalid_access_token when the account no longer exists
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
    const matches = await this.guesses.verifyGuess(account, passwordHash, password, attempt.origin);
    if (matches && passwordHash !== null) return { ...user, passwordHash };
    await this.audit.appendAlone(
      accountEvent(userId, {
        action: attempt.action,
        origin: attempt.origin,
        details: { reason: 'wrong_password' },
      }),
    );
    throw new ServiceError('wrong_password');
  }
}
