import { Injectable } from '@nestjs/common';
import { accountEvent, ANONYMOUS, AuditTrail } from '../../../audit/index.js';
import { Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import type { Origin } from '../../../http/index.js';
import { CredentialFailures } from '../../../limits/index.js';
import { FactorProofs } from '../../factors/factor-proofs.js';
import type { Assertion } from '../../passkeys/credential.js';
import { PasskeyProofs } from '../../passkeys/passkey-proofs.js';
import { PasskeySignInChallenges } from '../../passkeys/passkey-sign-in-challenges.js';
import type { RelyingParty } from '../../passkeys/relying-party.js';
import type { Expected } from '../../passkeys/webauthn.js';
import type { OpenedSession, TokenPair } from '../../sessions/sessions.js';
import { UserRepository } from '../../users/user.repository.js';
import type { RealmId, UserEntity } from '../../users/user.repository.js';
import { SignIn } from '../sign-in.js';

/** A passkey that somebody used, with the token of its challenge. */
export interface PresentedPasskey {
  readonly token: string;
  readonly assertion: Assertion;
}

/** Refuses passkeys and records the attempts. */
@Injectable()
export class PasskeyRefusals {
  constructor(
    private readonly failures: CredentialFailures,
    private readonly audit: AuditTrail,
  ) {}

  /** The same for an unknown passkey as for a wrong one. @throws rate_limited after too many from the address */
  async refusal(user: UserEntity | null, origin: Origin): Promise<ServiceError> {
    await this.failures.count(origin);
    const known = user?.disabledAt === null ? 'wrong_passkey' : 'disabled';
    await this.audit.appendAlone(
      accountEvent(user?.id ?? null, {
        actor: ANONYMOUS,
        action: 'session.sign_in_refused',
        origin,
        details: { reason: user === null ? 'unknown_passkey' : known, by: 'passkey' },
      }),
    );
    return new ServiceError('invalid_passkey');
  }
}

/** Sign-in by a passkey alone, which says whose it is. Its device verified the user, so that it is two factors at once. */
@Injectable()
export class PasskeySignIn {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly challenges: PasskeySignInChallenges,
    private readonly passkeys: PasskeyProofs,
    private readonly proofs: FactorProofs,
    private readonly signIns: SignIn,
    private readonly refusals: PasskeyRefusals,
  ) {}

  /**
   * Uses the token up, and opens a session of level 2.
   * @param at where the passkey must have been used, in place of the realm's relying party
   * @throws invalid_challenge, invalid_passkey, rate_limited, overloaded
   */
  async signIn(
    realmId: RealmId,
    { token, assertion }: PresentedPasskey,
    origin: Origin,
    at?: RelyingParty,
  ): Promise<TokenPair> {
    const expected = await this.challenges.expected(realmId, token, at);
    const userId = await this.passkeys.ownerOf(realmId, assertion);
    const user = userId === null ? null : await this.users.findById(this.database.reader, userId);
    if (user === null) throw await this.refusals.refusal(null, origin);
    const opened = await this.proofs.limited(user, origin, () =>
      this.database.transaction((tx) => this.redeem(tx, user.id, { token, assertion }, expected, origin)),
    );
    if (opened === null) throw await this.refusals.refusal(user, origin);
    return await this.signIns.issue(opened);
  }

  /** Null for a wrong proof. Only one that is right uses the token up: until then nothing is written that could grow. */
  private async redeem(
    tx: Tx,
    userId: string,
    { token, assertion }: PresentedPasskey,
    expected: Expected,
    origin: Origin,
  ): Promise<OpenedSession | null> {
    const user = await this.users.lock(tx, userId);
    if (user === null || user.disabledAt !== null || assertion.userHandle === null) return null;
    const verified = await this.passkeys.verifyAssertion(tx, user, assertion, expected);
    if (verified === null) return null;
    if (!(await this.challenges.use(tx, user.realmId as RealmId, token)))
      throw new ServiceError('invalid_challenge');
    const amr = await this.passkeys.use(tx, user, verified, origin);
    return amr && (await this.signIns.completeWithFactor(tx, user, { proof: 'passkey', amr }, origin));
  }
}
