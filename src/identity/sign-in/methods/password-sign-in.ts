import { Injectable } from '@nestjs/common';
import { accountEvent, ANONYMOUS, AuditTrail } from '../../../audit/index.js';
import { Database } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import type { Origin } from '../../../http/index.js';
import { PasswordGuesses } from '../../guessing/password-guesses.js';
import { PasswordHasher } from '../../passwords/password-hasher.js';
import type { TokenPair } from '../../sessions/sessions.js';
import { UserRepository } from '../../users/user.repository.js';
import type { RealmId, UserEntity } from '../../users/user.repository.js';
import { SignIn } from '../sign-in.js';

/** One by the hash that was found, one by the hash that took its place; each later one would be of yet another. */
const MOST_ATTEMPTS = 3;

/** Sign-in by password: the same work and the same response for every kind of failure. */
@Injectable()
export class PasswordSignIn {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly guesses: PasswordGuesses,
    private readonly hasher: PasswordHasher,
    private readonly signIns: SignIn,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * The first right sign-in after an import, or after other parameters were configured, renews the hash.
   * @throws invalid_credentials, rate_limited, overloaded
   */
  async signIn(realmId: RealmId, email: string, password: string, origin: Origin): Promise<TokenPair> {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const user = await this.prove(realmId, email, password, origin);
      const renewed = await this.rehashed(user, password, origin);
      const pair = await this.signIns.complete('password', origin, async (tx) => {
        if (renewed === null) return user;
        const isRenewed = await this.users.renewHash(tx, user.id, user.passwordHash as string, renewed);
        return isRenewed ? { ...user, passwordHash: renewed } : null;
      });
      if (pair !== null) return pair;
      // Another sign-in renewed the hash meanwhile, or the password was changed: the new hash tells.
    }
    throw new ServiceError('invalid_credentials');
  }

  /**
   * The user with this address and password. Opens no session. @throws invalid_credentials, rate_limited, overloaded
   */
  async prove(realmId: RealmId, email: string, password: string, origin: Origin): Promise<UserEntity> {
    const user = await this.users.findByEmail(this.database.reader, realmId, email);
    // No password is correct for a disabled account, so that a correct one counts as a failure too.
    const hash = user?.disabledAt === null ? user.passwordHash : null;
    const matches = await this.guesses.verifyGuess({ realmId, email }, hash, password, origin);
    if (user === null || !matches) {
      await this.recordRefusal(user, origin);
      throw new ServiceError('invalid_credentials');
    }
    return user;
  }

  private async rehashed(user: UserEntity, password: string, origin: Origin): Promise<string | null> {
    const isWeak = user.passwordHash !== null && this.hasher.needsRehash(user.passwordHash);
    return isWeak ? await this.hasher.hash(password, origin) : null;
  }

  /** Written for unknown addresses too: one statement either way, so that the time reveals nothing. */
  private async recordRefusal(user: UserEntity | null, origin: Origin): Promise<void> {
    await this.audit.appendAlone(
      accountEvent(user?.id ?? null, {
        actor: ANONYMOUS,
        action: 'session.sign_in_refused',
        origin,
        details: {
          reason:
            user === null ? 'unknown_address' : user.disabledAt === null ? 'wrong_password' : 'disabled',
        },
      }),
    );
  }
}
