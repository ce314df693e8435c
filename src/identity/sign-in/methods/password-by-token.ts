import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import type { Origin, ServiceError } from '../../../http/index.js';
import { OneTimeTokenRefusals, OneTimeTokens } from '../../one-time-tokens/one-time-tokens.js';
import type { TokenPurpose } from '../../one-time-tokens/one-time-tokens.js';
import { NewPassword } from '../../passwords/new-password.js';
import type { RealmId, UserEntity } from '../../users/user.repository.js';
import { AddressProof } from '../address-proof.js';
import type { OtherProof } from '../address-proof.js';

/** A token and the password that its holder wants. */
export interface PasswordByTokenRequest {
  readonly realmId: RealmId;
  readonly token: string;
  readonly password: string;
  readonly origin: Origin;
}

/** What a token is for, and what the audit trail calls its use and its refusal. */
export interface PasswordTokenUse {
  readonly purpose: TokenPurpose;
  readonly proof: OtherProof;
  readonly action: string;
  readonly refusal: string;
}

/** Sets a password for whoever holds the token of a mail. */
@Injectable()
export class PasswordByToken {
  constructor(
    private readonly database: Database,
    private readonly proof: AddressProof,
    private readonly tokens: OneTimeTokens,
    private readonly refusals: OneTimeTokenRefusals,
    private readonly newPassword: NewPassword,
  ) {}

  /** The account that the token leads into, while it is good. */
  async peek(realmId: RealmId, token: string, purpose: TokenPurpose): Promise<UserEntity | null> {
    return await this.tokens.peek(this.database.reader, realmId, token, purpose);
  }

  /**
   * Uses the token up and sets the password; every session ends. The token came by mail and so proves the address.
   * `then` runs in the same transaction, with the account as it is now.
   * @throws invalid_token, validation_failed, weak_password, rate_limited, overloaded
   */
  async redeem<Result>(
    use: PasswordTokenUse,
    request: PasswordByTokenRequest,
    then: (tx: Tx, user: UserEntity) => Promise<Result>,
  ): Promise<Result> {
    const { realmId, token, password, origin } = request;
    // A look first: a guessed token must not cost a hash, nor a short password the token.
    if ((await this.peek(realmId, token, use.purpose)) === null) throw await this.refusal(use, request);
    const passwordHash = await this.newPassword.hash(password, origin);
    const redeemed = await this.database.transaction(async (tx) => {
      const user = await this.tokens.consume(tx, realmId, token, use.purpose);
      if (user === null) return null;
      const proven = await this.proof.byOtherMail(tx, user, use.proof, origin);
      const occasion = { action: use.action, keptSessionId: null, origin };
      await this.newPassword.set(tx, proven, passwordHash, occasion);
      return { result: await then(tx, { ...proven, passwordHash }) };
    });
    if (redeemed !== null) return redeemed.result;
    throw await this.refusal(use, request);
  }

  private async refusal(
    use: PasswordTokenUse,
    { realmId, token, origin }: PasswordByTokenRequest,
  ): Promise<ServiceError> {
    return await this.refusals.refusal(realmId, use.refusal, token, origin);
  }
}
