import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { Origin, ServiceError } from '../../platform/http/index.js';
import { NewPassword } from './new-password.js';
import { OneTimeTokenRefusals } from './one-time-token-refusals.js';
import { OneTimeTokens } from './one-time-tokens.js';
import { Sessions } from './sessions.js';
import type { TokenPair } from './sessions.js';
import type { UserEntity } from './user.entity.js';
import { UserRepository } from './user.repository.js';
import type { RealmId } from './user.repository.js';

interface NewPasswordByToken {
  readonly realmId: RealmId;
  readonly token: string;
  readonly password: string;
}

/** Back into an account whose password is lost, with the token of a mail to its address. */
@Injectable()
export class Recovery {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly tokens: OneTimeTokens,
    private readonly refusals: OneTimeTokenRefusals,
    private readonly newPassword: NewPassword,
    private readonly sessions: Sessions,
  ) {}

  /** The account that the token leads into, while it is good. */
  async peek(realmId: RealmId, token: string): Promise<UserEntity | null> {
    return await this.tokens.peek(this.database.reader, realmId, token, 'recover');
  }

  /** As `setPassword`, and opens a session. @throws invalid_token, validation_failed, overloaded */
  async complete(realmId: RealmId, token: string, password: string, origin: Origin): Promise<TokenPair> {
    return await this.redeem({ realmId, token, password }, origin, (tx, user) =>
      this.sessions.open(tx, user, origin, 'recovery'),
    );
  }

  /**
   * Sets the password; every session ends. The address counts as proven, for the token came from there.
   * @throws invalid_token, validation_failed, overloaded
   */
  async setPassword(realmId: RealmId, token: string, password: string, origin: Origin): Promise<UserEntity> {
    return await this.redeem({ realmId, token, password }, origin, (_tx, user) => Promise.resolve(user));
  }

  private async redeem<Result>(
    { realmId, token, password }: NewPasswordByToken,
    origin: Origin,
    then: (tx: Tx, user: UserEntity) => Promise<Result>,
  ): Promise<Result> {
    // A look first: a guessed token must not cost a hash, nor a short password the token.
    if ((await this.peek(realmId, token)) === null) throw await this.refusal(realmId, token, origin);
    const passwordHash = await this.newPassword.hash(password);
    const redeemed = await this.database.transaction(async (tx) => {
      const user = await this.tokens.consume(tx, realmId, token, 'recover');
      if (user === null) return null;
      const occasion = { action: 'recovery.completed', keptSessionId: null, origin };
      await this.newPassword.set(tx, user, passwordHash, occasion);
      await this.users.markVerified(tx, user.id);
      return { result: await then(tx, { ...user, passwordHash, emailVerified: true }) };
    });
    if (redeemed !== null) return redeemed.result;
    throw await this.refusal(realmId, token, origin);
  }

  private async refusal(realmId: RealmId, token: string, origin: Origin): Promise<ServiceError> {
    return await this.refusals.refusal(realmId, 'recovery.refused', token, origin);
  }
}
