import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import type { Origin, ServiceError } from '../../../http/index.js';
import { OneTimeTokenRefusals, OneTimeTokens } from '../../one-time-tokens/one-time-tokens.js';
import type { FoundToken, TokenPurpose } from '../../one-time-tokens/one-time-tokens.js';
import { NewPassword } from '../../passwords/new-password.js';
import type { RealmId } from '../../users/user.repository.js';
import { AddressProof } from '../address-proof.js';
import type { OtherProof } from '../address-proof.js';

/** A token and the password that its holder wants. */
export interface PasswordByTokenRequest {
  readonly realmId: RealmId;
  readonly token: string;
  readonly password: string;
  /** Null where a request that opens a session has none; absent on a page, which opens none. */
  readonly codeVerifier?: string | null;
  readonly origin: Origin;
}

/** The purpose of a token, and the audit actions of its use and its refusal. */
export interface PasswordTokenUse {
  readonly purpose: TokenPurpose;
  readonly proof: OtherProof;
  readonly action: string;
  readonly refusal: string;
}

/** Sets a password for the holder of a mailed token. */
@Injectable()
export class PasswordByToken {
  constructor(
    private readonly database: Database,
    private readonly proof: AddressProof,
    private readonly tokens: OneTimeTokens,
    private readonly refusals: OneTimeTokenRefusals,
    private readonly newPassword: NewPassword,
  ) {}

  /** The account of a valid token. */
  async peek(realmId: RealmId, token: string, purpose: TokenPurpose): Promise<FoundToken | null> {
    return await this.tokens.peek(this.database.reader, realmId, token, purpose);
  }

  /**
   * Uses the token and sets the password; every session ends. The token came by mail and so verifies the address.
   * `then` runs in the same transaction, with the account as it is now and where the link's page ends.
   * @throws invalid_token, validation_failed, weak_password, rate_limited, overloaded
   */
  async redeem<Result>(
    use: PasswordTokenUse,
    request: PasswordByTokenRequest,
    then: (tx: Tx, redeemed: FoundToken) => Promise<Result>,
  ): Promise<Result> {
    const { realmId, token, password, codeVerifier, origin } = request;
    const by = codeVerifier === undefined ? 'page' : { codeVerifier };
    // Checked first: a guessed token must not cost a hash, and a short password must not use up the token.
    if ((await this.peek(realmId, token, use.purpose)) === null) throw await this.refusal(use, request);
    const passwordHash = await this.newPassword.hash(password, origin);
    const redeemed = await this.database.transaction(async (tx) => {
      const found = await this.tokens.consume(tx, realmId, token, use.purpose, by);
      if (found === null) return null;
      const proven = await this.proof.byOtherMail(tx, found.user, use.proof, origin);
      const occasion = { action: use.action, keptSessionId: null, origin };
      await this.newPassword.set(tx, proven, passwordHash, occasion);
      return { result: await then(tx, { ...found, user: { ...proven, passwordHash } }) };
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
