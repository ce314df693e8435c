import { Injectable } from '@nestjs/common';
import { AuthMetrics } from '../../../../audit/index.js';
import { ServiceError, validated } from '../../../../http/index.js';
import type { Origin } from '../../../../http/index.js';
import { CodeGrant, PasswordGrant, RefreshTokenGrant } from '../../../credentials.js';
import { SecondFactorGrant } from '../../../factors/factor.dto.js';
import { PasskeyGrant } from '../../../factors/passkey.dto.js';
import { Sessions } from '../../../sessions/sessions.js';
import type { TokenPair } from '../../../sessions/sessions.js';
import { SignUp } from '../../../sign-in/methods/sign-up.js';
import { SignInGrants } from '../../../sign-in/sign-in-grants.js';
import { metadataOf, NO_METADATA } from '../../../users/metadata.js';
import { DEPLOYMENT_REALM } from '../../../users/user.repository.js';
import type { SignUpBody } from '../dto/account.js';

/** The requests that open a session in the organization profile, by their bodies. */
@Injectable()
export class TokenGrants {
  constructor(
    private readonly registration: SignUp,
    private readonly signIns: SignInGrants,
    private readonly sessions: Sessions,
    private readonly metrics: AuthMetrics,
  ) {}

  async signUp(body: SignUpBody, origin: Origin): Promise<TokenPair> {
    return await this.metrics.counted('sign_up', async () => {
      const { email, password, metadata: json, locale = null } = body;
      const metadata = json === undefined ? NO_METADATA : metadataOf(json);
      const account = { email, password, metadata, locale, redirect: body };
      return await this.registration.signUp(DEPLOYMENT_REALM, account, origin);
    });
  }

  /** @throws unsupported_grant_type, validation_failed, and what the grant itself refuses */
  async grant(grantType: unknown, body: unknown, origin: Origin): Promise<TokenPair> {
    const realmId = DEPLOYMENT_REALM;
    switch (grantType) {
      case 'password':
        return await this.signIns.byPassword(realmId, await validated(PasswordGrant, body), origin);
      case 'refresh_token': {
        const { refresh_token: token } = await validated(RefreshTokenGrant, body);
        return await this.sessions.refresh(realmId, token, origin);
      }
      case 'second_factor':
        return await this.signIns.bySecondFactor(realmId, await validated(SecondFactorGrant, body), origin);
      case 'passkey':
        return await this.signIns.byPasskey(realmId, await validated(PasskeyGrant, body), origin);
      case 'code':
        return await this.signIns.byCode(realmId, await validated(CodeGrant, body), origin);
      default:
        throw new ServiceError('unsupported_grant_type', {
          hint: 'POST /auth/v1/token?grant_type=password, refresh_token, second_factor, passkey or code',
        });
    }
  }
}
