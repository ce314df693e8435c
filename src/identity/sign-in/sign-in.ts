import { Injectable } from '@nestjs/common';
import { randomToken, sha256 } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Origin, SignInChallenge, SignInEnrolment } from '../../http/index.js';
import { ChallengeRepository } from '../factors/challenge.repository.js';
import type { CodeProof } from '../redirects/sign-in-code.repository.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import { RelyingParties } from '../passkeys/relying-party.js';
import { challengeOf, requestOptions } from '../passkeys/webauthn.js';
import type { NamedPasskey } from '../passkeys/webauthn.js';
import { Sessions } from '../sessions/sessions.js';
import type { OpenedSession, TokenPair } from '../sessions/sessions.js';
import { SignInPolicyRepository } from '../users/sign-in-policies.js';
import { UserRepository } from '../users/user.repository.js';
import type { RealmId, UserEntity } from '../users/user.repository.js';

/** How an identity was proven, as the audit trail names it. */
export type SignInProof = 'password' | 'sign_up' | CodeProof;

/** What tokens say of a proof (RFC 8176), which has no value for a mail that was read. */
const METHODS: Readonly<Record<SignInProof, readonly string[]>> = {
  password: ['pwd'],
  sign_up: ['pwd'],
  verification: [],
  magic_link: [],
  recovery: [],
  invitation: [],
  email_change: [],
};

/** A sign-in that a second factor has to complete. */
export interface ChallengedSignIn {
  readonly user: UserEntity;
  readonly challenge: SignInChallenge;
  readonly passkeys: readonly NamedPasskey[];
}

/** A sign-in that the first factor of the account has to complete, because its realm demands one. */
export interface EnrollingSignIn {
  readonly user: UserEntity;
  readonly enrolment: SignInEnrolment;
}

/** What a proof came to. `SignIn.issue` makes tokens or a refusal of it. */
export type SignInOutcome = OpenedSession | ChallengedSignIn | EnrollingSignIn;

/** The first proof of a sign-in and the second one, with the `amr` of both. */
export interface CompletedProof {
  readonly proof: string;
  readonly amr: readonly string[];
}

/** Tells whether an account has the password that was proven. */
export function provenDigest({ passwordHash }: UserEntity): Buffer {
  return sha256(passwordHash ?? '');
}

/**
 * Turns a proven identity into a session. Every way of signing in ends here and nothing else opens a session
 * (test/architecture/sign-in.test.ts): where a second factor is in force, a first proof becomes a challenge.
 */
@Injectable()
export class SignIn {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly challenges: ChallengeRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly relyingParties: RelyingParties,
    private readonly policies: SignInPolicyRepository,
    private readonly users: UserRepository,
  ) {}

  /**
   * Runs `prove` in a transaction, opens a session for the user that it returns, and signs the tokens after the commit.
   * @returns null when `prove` returns null; what it wrote is committed
   * @throws invalid_credentials when the account was disabled, deleted or given another password meanwhile;
   *   second_factor_required, after the commit
   */
  async complete<Proven extends UserEntity | null>(
    proof: SignInProof,
    origin: Origin,
    prove: (tx: Tx) => Promise<Proven>,
  ): Promise<TokenPair | Extract<Proven, null>> {
    const outcome = await this.open(proof, origin, prove);
    return outcome === null ? (null as Extract<Proven, null>) : await this.issue(outcome);
  }

  /**
   * As `complete`, without the tokens: the caller calls `issue`, which throws where the account still lacks a factor.
   * @throws invalid_credentials as `complete`
   */
  async open<Proven extends UserEntity | null>(
    proof: SignInProof,
    origin: Origin,
    prove: (tx: Tx) => Promise<Proven>,
  ): Promise<SignInOutcome | Extract<Proven, null>> {
    return await this.database.transaction(async (tx) => {
      const user = await prove(tx);
      return user === null ? (null as Extract<Proven, null>) : await this.completeIn(tx, user, proof, origin);
    });
  }

  /**
   * Opens the session inside a transaction of the caller's, who calls `issue` after its commit.
   * @throws invalid_credentials as `complete`
   */
  async completeIn(tx: Tx, user: UserEntity, proof: SignInProof, origin: Origin): Promise<SignInOutcome> {
    const amr = METHODS[proof];
    if (user.secondFactor) return await this.challenged(tx, user, { proof, amr });
    const opened = await this.sessions.open(tx, user, origin, { proof, amr, aal: 1 });
    if (opened !== null) return opened;
    if (await this.policies.requiresFactor(tx, user.realmId as RealmId))
      return await this.enrolling(tx, user, { proof, amr });
    throw new ServiceError('invalid_credentials');
  }

  /**
   * As `completeIn`, for a user who also proved a second factor.
   * @throws invalid_credentials as `complete`
   */
  async completeWithFactor(
    tx: Tx,
    user: UserEntity,
    proven: CompletedProof,
    origin: Origin,
  ): Promise<OpenedSession> {
    const opened = await this.sessions.open(tx, user, origin, { ...proven, aal: 2 });
    if (opened === null) throw new ServiceError('invalid_credentials');
    return opened;
  }

  /**
   * Signs the tokens of a session that `completeIn` opened. Not inside a transaction: see `Sessions.issue`.
   * @throws second_factor_required where it opened none
   */
  async issue(outcome: SignInOutcome): Promise<TokenPair> {
    if ('enrolment' in outcome)
      throw new ServiceError('second_factor_required', {
        status: 403,
        enrolment: outcome.enrolment,
        hint: 'Add the first factor with enrolment_token: POST /auth/v1/enrolment/totp or /auth/v1/enrolment/passkeys/options.',
      });
    if (!('challenge' in outcome)) return await this.sessions.issue(outcome);
    throw new ServiceError('second_factor_required', {
      challenge: await this.withPasskeyOptions(outcome),
      hint:
        'Send challenge_token with code, recovery_code or credential to ' +
        'POST /auth/v1/token?grant_type=second_factor.',
    });
  }

  private async withPasskeyOptions({
    user,
    challenge,
    passkeys,
  }: ChallengedSignIn): Promise<SignInChallenge> {
    if (passkeys.length === 0) return challenge;
    const relyingParty = await this.relyingParties.of(user.realmId as RealmId);
    const options = await requestOptions(relyingParty, challengeOf(challenge.token), passkeys);
    return { ...challenge, passkey_options: options };
  }

  private async challenged(tx: Tx, user: UserEntity, proven: CompletedProof): Promise<ChallengedSignIn> {
    const token = randomToken();
    const { expiresAt, hasTotp, hasRecoveryCodes } = await this.challenges.insertChallenge(tx, {
      ...proven,
      tokenHash: sha256(token),
      userId: user.id,
      provenDigest: provenDigest(user),
      kind: 'factor',
    });
    const passkeys = await this.passkeys.listOf(tx, user.id);
    const has = { totp: hasTotp, passkey: passkeys.length > 0, recovery_code: hasRecoveryCodes };
    const factors = Object.entries(has).flatMap(([factor, isThere]) => (isThere ? [factor] : []));
    return { user, challenge: { token, factors, expires_at: expiresAt.toISOString() }, passkeys };
  }

  /** @throws invalid_credentials where the account has changed meanwhile, which is why it got no session */
  private async enrolling(tx: Tx, user: UserEntity, proven: CompletedProof): Promise<EnrollingSignIn> {
    const now = await this.users.lock(tx, user.id);
    const holds = now !== null && now.disabledAt === null && !now.secondFactor;
    if (!holds || !provenDigest(now).equals(provenDigest(user)))
      throw new ServiceError('invalid_credentials');
    const token = randomToken();
    const { expiresAt } = await this.challenges.insertChallenge(tx, {
      ...proven,
      tokenHash: sha256(token),
      userId: user.id,
      provenDigest: provenDigest(user),
      kind: 'enrolment',
    });
    return { user, enrolment: { token, factors: ['totp', 'passkey'], expires_at: expiresAt.toISOString() } };
  }
}
