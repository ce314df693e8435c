import { Injectable } from '@nestjs/common';
import { newId, randomToken } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import type { CreatedCredential } from '../passkeys/credential.js';
import { PasskeyChallengeRepository } from '../passkeys/passkey-challenge.repository.js';
import { claimedChallenge, methodsOf } from '../passkeys/webauthn.js';
import type { CreationOptions } from '../passkeys/webauthn.js';
import type { SessionOfCaller } from '../sessions/session-liveness.js';
import { UserRepository } from '../users/user.repository.js';
import type { RealmId } from '../users/user.repository.js';
import { FactorChanges } from './factor-changes.js';
import { FactorRepository } from './factor.repository.js';
import type { Factor } from './factor.repository.js';
import { PasskeyCreation } from './passkey-creation.js';

/** A passkey as it was added, and the recovery codes where it is the first factor. */
export interface AddedPasskey {
  readonly factor: Factor;
  readonly recoveryCodes: string[] | null;
}

/** A passkey that a browser made, with the name that its user gives it. */
export interface NewPasskey {
  readonly name: string;
  readonly credential: CreatedCredential;
}

/** Adds passkeys to accounts, for their users. */
@Injectable()
export class PasskeyFactors {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly challenges: PasskeyChallengeRepository,
    private readonly creation: PasskeyCreation,
    private readonly factors: FactorRepository,
    private readonly changes: FactorChanges,
  ) {}

  /**
   * What a browser needs to make a passkey of the account.
   * @throws reauthentication_required, session_revoked, limit_reached
   */
  async options(caller: SessionOfCaller, origin: Origin): Promise<CreationOptions> {
    const challenge = randomToken();
    const user = await this.changes.apply(caller, 'recent', origin, async (tx, account) => {
      await this.changes.requireRoom(tx, account.id);
      await this.challenges.insertPasskeyChallenge(tx, caller, 'add', challenge);
      return account;
    });
    return await this.creation.options(user, challenge);
  }

  /**
   * Puts a passkey in force. What the first factor does, it does as `Factors.confirm`.
   * @throws invalid_challenge, invalid_passkey, passkey_taken, limit_reached, reauthentication_required, session_revoked
   */
  async add(
    caller: SessionOfCaller,
    { name, credential }: NewPasskey,
    origin: Origin,
  ): Promise<AddedPasskey> {
    const challenge = claimedChallenge(credential);
    const { autoCommit, reader } = this.database;
    // Before all else, and for good: no challenge is tried twice, not even after a crash.
    if (challenge === null || !(await this.challenges.take(autoCommit, caller, 'add', challenge)))
      throw new ServiceError('invalid_challenge', {
        hint: 'POST /auth/v1/factors/passkeys/options makes a new one.',
      });
    const account = await this.users.findById(reader, caller.userId);
    if (account === null) throw new ServiceError('invalid_access_token');
    const made = await this.creation.verified(account.realmId as RealmId, credential, challenge);
    const id = newId();
    return await this.changes.apply(caller, 'recent', origin, async (tx, user) => {
      await this.changes.requireRoom(tx, user.id);
      await this.creation.createPasskey(tx, user, id, name, made);
      const recoveryCodes = await this.changes.added(tx, user, caller, { id, amr: methodsOf(made) }, origin);
      const factor = await this.factors.find(tx, user.id, id);
      if (factor === null) throw new Error('the passkey was not inserted');
      return { factor, recoveryCodes };
    });
  }
}
