import { Injectable } from '@nestjs/common';
import { ServiceError, validated } from '../../../../http/index.js';
import type { Caller, Origin } from '../../../../http/index.js';
import { CodeGrant, PasswordGrant, RefreshTokenGrant } from '../../../credentials.js';
import type { TokenAndPasswordBody } from '../../../credentials.js';
import { SecondFactorGrant } from '../../../factors/factor.dto.js';
import { PasskeyGrant } from '../../../factors/passkey.dto.js';
import type { OfferedPasskeySignIn } from '../../../passkeys/passkey-sign-in-challenges.js';
import { Sessions } from '../../../sessions/sessions.js';
import type { TokenPair } from '../../../sessions/sessions.js';
import { UserSessions } from '../../../sessions/user-sessions.js';
import { Recovery } from '../../../sign-in/methods/recovery.js';
import { SignUp } from '../../../sign-in/methods/sign-up.js';
import { SignInGrants } from '../../../sign-in/sign-in-grants.js';
import { DEPLOYMENT_REALM } from '../../../users/user.repository.js';
import type { LogoutBody, SignUpBody } from '../dto/account.js';
import { AuthMetrics } from '../../../../audit/index.js';
import type { AuthEvent } from '../../../../audit/index.js';
import { metadataOf, NO_METADATA } from '../../../users/metadata.js';

/** The requests that return tokens in the organization profile, counted by their outcome. */
@Injectable()
export class TokenGrants {
  constructor(
    private readonly registration: SignUp,
    private readonly signIns: SignInGrants,
    private readonly sessions: Sessions,
    private readonly recovery: Recovery,
    private readonly metrics: AuthMetrics,
  ) {}

  async signUp(body: SignUpBody, origin: Origin): Promise<TokenPair> {
    const { email, password, metadata: json, locale = null } = body;
    const metadata = json === undefined ? NO_METADATA : metadataOf(json);
    const account = { email, password, metadata, locale, redirect: body };
    return await this.counted('sign_up', () => this.registration.signUp(DEPLOYMENT_REALM, account, origin));
  }

  /** @throws unsupported_grant_type, validation_failed, and what the grant itself refuses */
  async grant(grantType: unknown, body: unknown, origin: Origin): Promise<TokenPair> {
    if (grantType === 'password') {
      const grant = await validated(PasswordGrant, body);
      return await this.counted('sign_in', () => this.signIns.byPassword(DEPLOYMENT_REALM, grant, origin));
    }
    if (grantType === 'refresh_token') {
      const { refresh_token: token } = await validated(RefreshTokenGrant, body);
      return await this.counted('refresh', () => this.sessions.refresh(DEPLOYMENT_REALM, token, origin));
    }
    if (grantType === 'second_factor') {
      const grant = await validated(SecondFactorGrant, body);
      return await this.counted('sign_in', () =>
        this.signIns.bySecondFactor(DEPLOYMENT_REALM, grant, origin),
      );
    }
    if (grantType === 'passkey') {
      const grant = await validated(PasskeyGrant, body);
      return await this.counted('sign_in', () => this.signIns.byPasskey(DEPLOYMENT_REALM, grant, origin));
    }
    if (grantType === 'code') {
      const grant = await validated(CodeGrant, body);
      return await this.counted('sign_in', () => this.signIns.byCode(DEPLOYMENT_REALM, grant, origin));
    }
    throw new ServiceError('unsupported_grant_type', {
      hint: 'POST /auth/v1/token?grant_type=password, refresh_token, second_factor, passkey or code',
    });
  }

  /** What begins a sign-in by a passkey. */
  async passkeyOptions(): Promise<OfferedPasskeySignIn> {
    return await this.signIns.passkeyOptions(DEPLOYMENT_REALM);
  }

  async recover(body: TokenAndPasswordBody, origin: Origin): Promise<TokenPair> {
    const { token, password, code_verifier: codeVerifier = null } = body;
    const request = { realmId: DEPLOYMENT_REALM, token, password, codeVerifier, origin };
    return await this.counted('recovery', () => this.recovery.complete(request));
  }

  private async counted(event: AuthEvent, work: () => Promise<TokenPair>): Promise<TokenPair> {
    try {
      const pair = await work();
      this.metrics.record(event, 'success');
      return pair;
    } catch (error) {
      this.metrics.record(event, error instanceof ServiceError ? error.code : 'internal_error');
      throw error;
    }
  }
}

/** Ends the session of the refresh token, or else of the access token. */
@Injectable()
export class Logout {
  constructor(private readonly sessions: UserSessions) {}

  /** @throws unauthenticated with neither, user_required by an API key */
  async logOut(caller: Caller | undefined, body: LogoutBody, origin: Origin): Promise<void> {
    const { refresh_token: refreshToken, scope = 'local' } = body;
    if (refreshToken !== undefined) {
      await this.sessions.logout({ realmId: DEPLOYMENT_REALM, refreshToken }, scope, origin);
      return;
    }
    if (caller === undefined) {
      throw new ServiceError('unauthenticated', {
        hint: 'Send an access token, or refresh_token in the body.',
      });
    }
    if (caller.type !== 'user') throw new ServiceError('user_required');
    await this.sessions.logout(caller, scope, origin);
  }
}
