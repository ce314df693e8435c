import { Injectable } from '@nestjs/common';
import { accountEvent, ANONYMOUS, AuditTrail } from '../../../audit/index.js';
import { sha256 } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import type { Origin } from '../../../http/index.js';
import { ChallengeRepository } from '../../factors/challenge.repository.js';
import { FactorProofs } from '../../factors/factor-proofs.js';
import type { FactorProof, PresentedFactor } from '../../factors/factor-proofs.js';
import { RelyingParties } from '../../passkeys/relying-party.js';
import type { RelyingParty } from '../../passkeys/relying-party.js';
import { challengeOf } from '../../passkeys/webauthn.js';
import type { OpenedSession, TokenPair } from '../../sessions/sessions.js';
import { UserRepository } from '../../users/user.repository.js';
import type { RealmId } from '../../users/user.repository.js';
import { provenDigest, SignIn } from '../sign-in.js';

/** A challenge that cannot be completed any more. */
const GONE = 'gone';

function nameOf(presented: PresentedFactor): string {
  if ('assertion' in presented) return 'passkey';
  return 'code' in presented ? 'totp' : 'recovery_code';
}

/** Completes a sign-in whose first proof met a second factor. */
@Injectable()
export class SecondFactorSignIn {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly challenges: ChallengeRepository,
    private readonly proofs: FactorProofs,
    private readonly relyingParties: RelyingParties,
    private readonly signIns: SignIn,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Uses the challenge and the proof up, and opens a session of level 2.
   * @param at where a passkey must have been used, in place of the realm's relying party
   * @throws invalid_challenge, invalid_second_factor, rate_limited, overloaded
   */
  async signIn(
    realmId: RealmId,
    token: string,
    presented: PresentedFactor,
    origin: Origin,
    at?: RelyingParty,
  ): Promise<TokenPair> {
    const tokenHash = sha256(token);
    const { reader } = this.database;
    const userId = await this.challenges.userOf(reader, realmId, tokenHash, 'factor');
    const user = userId === null ? null : await this.users.findById(reader, userId);
    if (user === null) throw new ServiceError('invalid_challenge');
    const proof = await this.expecting(presented, token, realmId, at);
    const opened = await this.proofs.limited(user, origin, async () => {
      const redeemed = await this.database.transaction((tx) =>
        this.redeem(tx, user.id, tokenHash, proof, origin),
      );
      // Not a success, which would clear the failures of codes: tries at one time outlast the challenge.
      if (redeemed === GONE) throw new ServiceError('invalid_challenge');
      return redeemed;
    });
    if (opened !== null) return await this.signIns.issue(opened);
    await this.audit.appendAlone(
      accountEvent(user.id, {
        actor: ANONYMOUS,
        action: 'session.second_factor_refused',
        origin,
        details: { by: nameOf(presented) },
      }),
    );
    throw new ServiceError('invalid_second_factor');
  }

  private async expecting(
    presented: PresentedFactor,
    token: string,
    realmId: RealmId,
    at: RelyingParty | undefined,
  ): Promise<FactorProof> {
    if (!('assertion' in presented)) return presented;
    const relyingParty = at ?? (await this.relyingParties.of(realmId));
    return { ...presented, expected: { challenge: challengeOf(token), relyingParty } };
  }

  /** Null for a wrong proof; the try that it took is committed. */
  private async redeem(
    tx: Tx,
    userId: string,
    tokenHash: Buffer,
    proof: FactorProof,
    origin: Origin,
  ): Promise<OpenedSession | typeof GONE | null> {
    const user = await this.users.lock(tx, userId);
    const challenge = await this.challenges.try(tx, tokenHash, 'factor');
    if (user === null || challenge === null) return GONE;
    // A new password, or the end of the last factor, voids what was proven before it.
    if (!user.secondFactor || !provenDigest(user).equals(challenge.provenDigest)) return GONE;
    const methods = await this.proofs.verifyProof(tx, user, proof, origin);
    if (methods === null) return null;
    await this.challenges.delete(tx, tokenHash);
    const proven = { proof: challenge.proof, amr: [...challenge.amr, ...methods] };
    return await this.signIns.completeWithFactor(tx, user, proven, origin);
  }
}
