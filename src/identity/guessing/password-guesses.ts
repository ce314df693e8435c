import { Injectable } from '@nestjs/common';
import type { Origin } from '../../platform/http/index.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { AccountAttempts } from './account-attempts.js';
import type { GuessedAccount } from './account-attempts.js';

/** Checks passwords that somebody presents, within the limits. */
@Injectable()
export class PasswordGuesses {
  constructor(
    private readonly attempts: AccountAttempts,
    private readonly hasher: PasswordHasher,
  ) {}

  /**
   * Whether the password is the one of the account. One Argon2 computation whatever the account, and none for an
   * attempt that is refused.
   * @param hash null where no password is right: there is no account, it has no password, or it is disabled
   * @throws rate_limited, overloaded
   */
  async verify(
    account: GuessedAccount,
    hash: string | null,
    password: string,
    origin: Origin,
  ): Promise<boolean> {
    const attempt = this.attempts.begin(account, origin);
    // Before the queue, which is for those who may be right.
    await attempt.look();
    let matches: boolean;
    try {
      matches = await this.hasher.verify(hash, password, origin, attempt.admit);
    } catch (error) {
      await attempt.withdraw();
      throw error;
    }
    if (matches) await attempt.succeeded();
    else attempt.failed();
    return matches;
  }
}
