import { Injectable } from '@nestjs/common';
import { randomToken } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import type { Assertion } from '../passkeys/credential.js';
import { PasskeyChallengeRepository } from '../passkeys/passkey-challenge.repository.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import { RelyingParties } from '../passkeys/relying-party.js';
import { claimedChallenge, requestOptions } from '../passkeys/webauthn.js';
import type { Expected, RequestOptions } from '../passkeys/webauthn.js';
import { SessionLiveness } from '../sessions/session-liveness.js';
import type { SessionOfCaller } from '../sessions/session-liveness.js';
import { UserRepository } from '../users/user.repository.js';
import type { RealmId, UserEntity } from '../users/user.repository.js';
import { factorProofOf } from './factor.dto.js';
import type { ReauthenticateBody } from './factor.dto.js';
import { Reauthentication } from './reauthentication.js';

/** Proofs of users who are signed in, by whatever they have. */
@Injectable()
export class StepUp {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly challenges: PasskeyChallengeRepository,
    private readonly relyingParties: RelyingParties,
    private readonly liveness: SessionLiveness,
    private readonly reauthentication: Reauthentication,
  ) {}

  /** What a browser needs to prove the user by a passkey. @throws factor_required, session_revoked */
  async options(caller: SessionOfCaller): Promise<RequestOptions> {
    const relyingParty = await this.relyingParties.of((await this.userOf(caller)).realmId as RealmId);
    const challenge = randomToken();
    const passkeys = await this.database.transaction(async (tx) => {
      await this.users.lock(tx, caller.userId);
      await this.liveness.require(tx, caller);
      const found = await this.passkeys.listOf(tx, caller.userId);
      if (found.length === 0)
        throw new ServiceError('factor_required', { hint: 'The account has no passkey.' });
      await this.challenges.insertPasskeyChallenge(tx, caller, 'reauthenticate', challenge);
      return found;
    });
    return await requestOptions(relyingParty, challenge, passkeys);
  }

  /**
   * @throws validation_failed, wrong_password, factor_required, invalid_challenge, invalid_second_factor, session_revoked,
   *   rate_limited, overloaded
   */
  async prove(
    caller: SessionOfCaller,
    { password, ...given }: ReauthenticateBody,
    origin: Origin,
  ): Promise<void> {
    if (password !== undefined) {
      await this.reauthentication.byPassword(caller, password, origin);
      return;
    }
    const proof = factorProofOf(given);
    if ('assertion' in proof) {
      const expected = await this.expected(caller, proof.assertion);
      await this.reauthentication.byFactor(caller, { ...proof, expected }, origin);
    } else await this.reauthentication.byFactor(caller, proof, origin);
  }

  /** Uses the challenge up, for good. */
  private async expected(caller: SessionOfCaller, assertion: Assertion): Promise<Expected> {
    const relyingParty = await this.relyingParties.of((await this.userOf(caller)).realmId as RealmId);
    const challenge = claimedChallenge(assertion);
    const { autoCommit } = this.database;
    if (challenge === null || !(await this.challenges.take(autoCommit, caller, 'reauthenticate', challenge)))
      throw new ServiceError('invalid_challenge', {
        hint: 'POST /auth/v1/reauthenticate/options makes a new one.',
      });
    return { challenge, relyingParty };
  }

  private async userOf({ userId }: SessionOfCaller): Promise<UserEntity> {
    const user = await this.users.findById(this.database.reader, userId);
    if (user === null) throw new ServiceError('invalid_access_token');
    return user;
  }
}
