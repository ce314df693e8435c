import { Injectable } from '@nestjs/common';
import { newId } from '../../../platform/crypto/index.js';
import type { Tx } from '../../../platform/database/index.js';
import type { Origin } from '../../../http/index.js';
import type { TriedChallenge } from '../../factors/challenge.repository.js';
import { FactorChanges } from '../../factors/factor-changes.js';
import type { AddedFactor } from '../../factors/factor-changes.js';
import { ONE_TIME_CODE } from '../../factors/factor-proofs.js';
import { PasskeyCreation } from '../../factors/passkey-creation.js';
import type { NewPasskey } from '../../factors/passkey-factors.js';
import { TotpFactors } from '../../factors/totp-factors.js';
import type { BegunTotp } from '../../factors/totp-factors.js';
import { challengeOf, methodsOf } from '../../passkeys/webauthn.js';
import type { CreationOptions } from '../../passkeys/webauthn.js';
import type { OpenedSession, TokenPair } from '../../sessions/sessions.js';
import type { UserEntity } from '../../users/user.repository.js';
import { SignIn } from '../sign-in.js';
import { EnrolmentChallenges } from './enrolment-challenges.js';
import type { WaitingSignIn } from './enrolment-challenges.js';

/** A session that began with the first factor of its account. */
export interface EnrolledSession {
  readonly pair: TokenPair;
  readonly recoveryCodes: readonly string[];
}

interface Opened {
  readonly session: OpenedSession;
  readonly recoveryCodes: readonly string[];
}

/**
 * Sets up the first factor of an account within a sign-in that its realm refuses without one. The token of the sign-in
 * does this and nothing else. It is no access token, it holds for what was proven, and it ends with its use.
 */
@Injectable()
export class FactorEnrolment {
  constructor(
    private readonly challenges: EnrolmentChallenges,
    private readonly totp: TotpFactors,
    private readonly passkeys: PasskeyCreation,
    private readonly changes: FactorChanges,
    private readonly signIns: SignIn,
  ) {}

  /** Begins to add an authenticator application. @throws invalid_challenge */
  async beginTotp(waiting: WaitingSignIn, name: string): Promise<BegunTotp> {
    return await this.challenges.peek(waiting, (tx, user) => this.totp.begin(tx, user, name));
  }

  /** Puts it in force and opens the session. @throws invalid_challenge, factor_not_found, invalid_second_factor */
  async confirmTotp(
    waiting: WaitingSignIn,
    factor: { readonly id: string; readonly code: string },
    origin: Origin,
  ): Promise<EnrolledSession> {
    const { id, code } = factor;
    const opened = await this.challenges.redeem(waiting, origin, async (tx, user, challenge) => {
      if (!(await this.totp.confirm(tx, user, id, code))) return null;
      return await this.open(tx, user, challenge, { id, amr: ONE_TIME_CODE }, origin);
    });
    return await this.issued(opened);
  }

  /** What a browser needs to make a passkey of the account. @throws invalid_challenge */
  async passkeyOptions(waiting: WaitingSignIn): Promise<CreationOptions> {
    const user = await this.challenges.peek(waiting, (_tx, account) => Promise.resolve(account));
    return await this.passkeys.options(user, challengeOf(waiting.token));
  }

  /** Puts a passkey in force and opens the session. @throws invalid_challenge, invalid_passkey, passkey_taken */
  async addPasskey(
    waiting: WaitingSignIn,
    { name, credential }: NewPasskey,
    origin: Origin,
  ): Promise<EnrolledSession> {
    await this.challenges.peek(waiting, () => Promise.resolve());
    const { realmId, token } = waiting;
    const made = await this.passkeys.verified(realmId, credential, challengeOf(token));
    const id = newId();
    const opened = await this.challenges.redeem(waiting, origin, async (tx, user, challenge) => {
      await this.passkeys.createPasskey(tx, user, id, name, made);
      return await this.open(tx, user, challenge, { id, amr: methodsOf(made) }, origin);
    });
    return await this.issued(opened);
  }

  private async open(
    tx: Tx,
    user: UserEntity,
    { proof, amr }: TriedChallenge,
    factor: AddedFactor,
    origin: Origin,
  ): Promise<Opened> {
    const recoveryCodes = await this.changes.added(tx, user, null, factor, origin);
    const proven = { proof, amr: [...amr, ...factor.amr] };
    const session = await this.signIns.completeWithFactor(
      tx,
      { ...user, secondFactor: true },
      proven,
      origin,
    );
    return { session, recoveryCodes: recoveryCodes ?? [] };
  }

  private async issued({ session, recoveryCodes }: Opened): Promise<EnrolledSession> {
    return { pair: await this.signIns.issue(session), recoveryCodes };
  }
}
