import { Injectable } from '@nestjs/common';
import { AuthMetrics } from '../audit/index.js';
import { ServiceError } from '../http/index.js';
import type { Origin } from '../http/index.js';
import { DeploymentRelyingParty, IdentityProfile, OperatorSetup, SignInGrants } from '../identity/index.js';
import type {
  OfferedPasskeySignIn,
  PasskeyGrant,
  PasswordGrant,
  SecondFactorGrant,
  TokenPair,
} from '../identity/index.js';
import { CredentialFailures } from '../limits/index.js';

/** How accounts sign in to the console. A passkey works only on its own origin. */
@Injectable()
export class ConsoleSignIns {
  constructor(
    private readonly signIns: SignInGrants,
    private readonly setup: OperatorSetup,
    private readonly relyingParty: DeploymentRelyingParty,
    private readonly profile: IdentityProfile,
    private readonly failures: CredentialFailures,
    private readonly metrics: AuthMetrics,
  ) {}

  /** @throws invalid_credentials, second_factor_required, rate_limited, overloaded */
  async byPassword(grant: PasswordGrant, origin: Origin): Promise<TokenPair> {
    return await this.signIns.byPassword(this.profile.operatorRealm, grant, origin);
  }

  /** @throws invalid_challenge, invalid_second_factor, rate_limited, overloaded */
  async bySecondFactor(grant: SecondFactorGrant, origin: Origin): Promise<TokenPair> {
    const { operatorRealm } = this.profile;
    return await this.signIns.bySecondFactor(operatorRealm, grant, origin, this.relyingParty.console());
  }

  /** The options that begin a sign-in with a passkey. */
  async passkeyOptions(): Promise<OfferedPasskeySignIn> {
    return await this.signIns.passkeyOptions(this.profile.operatorRealm);
  }

  /** @throws invalid_challenge, invalid_passkey, rate_limited, overloaded */
  async byPasskey(grant: PasskeyGrant, origin: Origin): Promise<TokenPair> {
    const { operatorRealm } = this.profile;
    return await this.signIns.byPasskey(operatorRealm, grant, origin, this.relyingParty.console());
  }

  /**
   * Creates the first operator.
   * @throws setup_closed, invalid_setup_code, weak_password, invalid_credentials, second_factor_required, overloaded;
   *   rate_limited after many wrong codes from one address
   */
  async bySetupCode(code: string, account: PasswordGrant, origin: Origin): Promise<TokenPair> {
    try {
      return await this.metrics.counted('sign_in', () => this.setup.complete(code, account, origin));
    } catch (error) {
      const isWrongCode = error instanceof ServiceError && error.code === 'invalid_setup_code';
      if (isWrongCode) await this.failures.count(origin);
      throw error;
    }
  }
}
