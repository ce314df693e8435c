import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { RealmId } from '../users/user.repository.js';
import { PasskeyChallengeRepository } from './passkey-challenge.repository.js';
import { PasskeySignInTokens } from './passkey-sign-in-tokens.js';
import type { PasskeySignInToken } from './passkey-sign-in-tokens.js';
import { RelyingParties } from './relying-party.js';
import type { RelyingParty } from './relying-party.js';
import { challengeOf, requestOptions } from './webauthn.js';
import type { Expected, RequestOptions } from './webauthn.js';

/** A challenge for a stranger, with what their browser needs. */
export interface OfferedPasskeySignIn extends PasskeySignInToken {
  readonly options: RequestOptions;
}

/** The challenges of sign-ins that begin with a passkey. */
@Injectable()
export class PasskeySignInChallenges {
  constructor(
    private readonly tokens: PasskeySignInTokens,
    private readonly challenges: PasskeyChallengeRepository,
    private readonly relyingParties: RelyingParties,
  ) {}

  /** Stores nothing. */
  async offer(realmId: RealmId): Promise<OfferedPasskeySignIn> {
    const relyingParty = await this.relyingParties.of(realmId);
    const issued = this.tokens.issue(realmId);
    return { ...issued, options: await requestOptions(relyingParty, challengeOf(issued.token), []) };
  }

  /** What a passkey must have been used for. @throws invalid_challenge */
  async expected(realmId: RealmId, token: string, at?: RelyingParty): Promise<Expected> {
    if (this.tokens.open(realmId, token) === null) throw new ServiceError('invalid_challenge');
    return { challenge: challengeOf(token), relyingParty: at ?? (await this.relyingParties.of(realmId)) };
  }

  /** Uses the token up; false when it was used. Others wait for the end of the transaction. */
  async use(tx: Tx, realmId: RealmId, token: string): Promise<boolean> {
    const expiresAt = this.tokens.open(realmId, token);
    return expiresAt !== null && (await this.challenges.markUsed(tx, token, expiresAt));
  }
}
