import { Injectable } from '@nestjs/common';
import { KeyRing } from '../../platform/crypto/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { Origin } from '../../http/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { AccountAttempts } from '../guessing/account-attempts.js';
import type { Assertion } from '../passkeys/credential.js';
import { PasskeyProofs } from '../passkeys/passkey-proofs.js';
import type { Expected } from '../passkeys/webauthn.js';
import type { RealmId, UserEntity } from '../users/user.repository.js';
import { FactorRepository, factorSecretAssociatedData } from './factor.repository.js';
import { recoveryCodeHash } from './recovery-codes.js';
import { stepOf } from './totp.js';

/** What a user presents as a second factor. */
export type PresentedFactor =
  { readonly code: string } | { readonly recoveryCode: string } | { readonly assertion: Assertion };

/** The same with what a passkey must have been used for. */
export type FactorProof =
  | Exclude<PresentedFactor, { readonly assertion: Assertion }>
  | { readonly assertion: Assertion; readonly expected: Expected };

/** A code that was used once (RFC 8176, section 2), and that it was not the only proof. */
export const ONE_TIME_CODE = ['otp', 'mfa'] as const;

/** Verifies second factors. */
@Injectable()
export class FactorProofs {
  constructor(
    private readonly attempts: AccountAttempts,
    private readonly factors: FactorRepository,
    private readonly passkeys: PasskeyProofs,
    private readonly keyRing: KeyRing,
    private readonly clock: Clock,
  ) {}

  /**
   * Uses the proof up and returns the `amr` of it; null for a wrong one and for one that was used before.
   * The caller holds the user's row and verifies within `limited`.
   */
  async verifyProof(
    tx: Tx,
    user: UserEntity,
    proof: FactorProof,
    origin: Origin,
  ): Promise<readonly string[] | null> {
    const { id: userId } = user;
    if ('assertion' in proof) {
      const verified = await this.passkeys.verifyAssertion(tx, user, proof.assertion, proof.expected);
      return verified === null ? null : await this.passkeys.use(tx, user, verified, origin);
    }
    if ('recoveryCode' in proof) {
      const hash = recoveryCodeHash(userId, proof.recoveryCode);
      return (await this.factors.useRecoveryCode(tx, userId, hash)) ? ONE_TIME_CODE : null;
    }
    for (const { id, sealedSecret } of await this.factors.totpSecrets(tx, userId)) {
      const step = stepOf(
        this.keyRing.open(sealedSecret, factorSecretAssociatedData(id)),
        proof.code,
        this.clock.now(),
      );
      if (step !== null && (await this.factors.useStep(tx, id, step))) return ONE_TIME_CODE;
    }
    return null;
  }

  /**
   * Counts the work as a guess, failed where it returns null, in a count of its own: the right password does not clear
   * the failures of codes, or else codes could be tried without end by somebody who knows it.
   * @throws rate_limited, overloaded
   */
  async limited<Result>(
    user: UserEntity,
    origin: Origin,
    work: () => Promise<Result | null>,
  ): Promise<Result | null> {
    const account = { realmId: user.realmId as RealmId, email: `second factor of ${user.id}` };
    const attempt = this.attempts.begin(account, origin);
    await attempt.requireAllowed();
    let result: Result | null;
    try {
      await attempt.count();
      result = await work();
    } catch (error) {
      await attempt.withdraw();
      throw error;
    }
    if (result === null) attempt.failed();
    else await attempt.succeeded();
    return result;
  }
}
