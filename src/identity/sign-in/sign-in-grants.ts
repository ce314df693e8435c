import { Injectable } from '@nestjs/common';
import { AuthMetrics } from '../../audit/index.js';
import type { Origin } from '../../http/index.js';
import { factorProofOf } from '../factors/factor.dto.js';
import type { SecondFactorGrant } from '../factors/factor.dto.js';
import { presentedPasskeyOf } from '../factors/passkey.dto.js';
import type { PasskeyGrant } from '../factors/passkey.dto.js';
import { PasskeySignInChallenges } from '../passkeys/passkey-sign-in-challenges.js';
import type { OfferedPasskeySignIn } from '../passkeys/passkey-sign-in-challenges.js';
import type { RelyingParty } from '../passkeys/relying-party.js';
import type { TokenPair } from '../sessions/sessions.js';
import type { RealmId } from '../users/user.repository.js';
import { CodeSignIn } from './methods/code-sign-in.js';
import { PasskeySignIn } from './methods/passkey-sign-in.js';
import { PasswordSignIn } from './methods/password-sign-in.js';
import { SecondFactorSignIn } from './methods/second-factor-sign-in.js';

/**
 * The ways in which people sign in, by the bodies of their requests: the same in both profiles and in the console, which
 * takes passkeys from its own origin alone (`at`). Counted by their outcome.
 */
@Injectable()
export class SignInGrants {
  constructor(
    private readonly passwords: PasswordSignIn,
    private readonly secondFactors: SecondFactorSignIn,
    private readonly passkeys: PasskeySignIn,
    private readonly challenges: PasskeySignInChallenges,
    private readonly codes: CodeSignIn,
    private readonly metrics: AuthMetrics,
  ) {}

  /** @throws invalid_credentials, second_factor_required, rate_limited, overloaded */
  async byPassword(
    realmId: RealmId,
    { email, password }: { readonly email: string; readonly password: string },
    origin: Origin,
  ): Promise<TokenPair> {
    return await this.counted(() => this.passwords.signIn(realmId, email, password, origin));
  }

  /** Completes a sign-in. @throws validation_failed, invalid_challenge, invalid_second_factor, rate_limited, overloaded */
  async bySecondFactor(
    realmId: RealmId,
    grant: SecondFactorGrant,
    origin: Origin,
    at?: RelyingParty,
  ): Promise<TokenPair> {
    return await this.counted(async () =>
      this.secondFactors.signIn(realmId, grant.challenge_token, factorProofOf(grant), origin, at),
    );
  }

  /** @throws validation_failed, invalid_challenge, invalid_passkey, rate_limited, overloaded */
  async byPasskey(
    realmId: RealmId,
    grant: PasskeyGrant,
    origin: Origin,
    at?: RelyingParty,
  ): Promise<TokenPair> {
    return await this.counted(async () =>
      this.passkeys.signIn(realmId, presentedPasskeyOf(grant), origin, at),
    );
  }

  /** Takes the code that the page of a mail added to a redirect URL. @throws invalid_code, second_factor_required, rate_limited */
  async byCode(
    realmId: RealmId,
    {
      code,
      code_verifier: verifier = null,
    }: { readonly code: string; readonly code_verifier?: string | null },
    origin: Origin,
  ): Promise<TokenPair> {
    return await this.counted(() => this.codes.signIn(realmId, code, verifier, origin));
  }

  /** What begins a sign-in by a passkey. */
  async passkeyOptions(realmId: RealmId): Promise<OfferedPasskeySignIn> {
    return await this.challenges.offer(realmId);
  }

  private async counted(signIn: () => Promise<TokenPair>): Promise<TokenPair> {
    return await this.metrics.counted('sign_in', signIn);
  }
}
