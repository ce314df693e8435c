import { Injectable } from '@nestjs/common';
import { ServiceError, validated } from '../../../../http/index.js';
import type { Caller, Origin } from '../../../../http/index.js';
import { PasswordGrant, RefreshTokenGrant } from '../../../credentials.js';
import type { TokenAndPasswordBody } from '../../../credentials.js';
import { Sessions } from '../../../sessions/sessions.js';
import type { TokenPair } from '../../../sessions/sessions.js';
import { UserSessions } from '../../../sessions/user-sessions.js';
import { PasswordSignIn } from '../../../sign-in/methods/password-sign-in.js';
import { Recovery } from '../../../sign-in/methods/recovery.js';
import { SignUp } from '../../../sign-in/methods/sign-up.js';
import { DEPLOYMENT_REALM } from '../../../users/user.repository.js';
import type { LogoutBody, SignUpBody } from '../dto/account.js';
import { AuthMetrics } from '../../../../audit/index.js';
import type { AuthEvent } from '../../../../audit/index.js';

/** The requests that return tokens in the organization profile, counted by their outcome. */
@Injectable()
export class TokenGrants {
  constructor(
    private readonly registration: SignUp,
    private readonly passwordSignIn: PasswordSignIn,
    private readonly sessions: Sessions,
    private readonly recovery: Recovery,
    private readonly metrics: AuthMetrics,
  ) {}

  async signUp(body: SignUpBody, origin: Origin): Promise<TokenPair> {
    const { email, password, metadata = {} } = body;
    const account = { email, password, metadata };
    return await this.counted('sign_up', () => this.registration.signUp(DEPLOYMENT_REALM, account, origin));
  }

  /** @throws unsupported_grant_type, validation_failed, and what the grant itself refuses */
  async grant(grantType: unknown, body: unknown, origin: Origin): Promise<TokenPair> {
    if (grantType === 'password') {
      const { email, password } = await validated(PasswordGrant, body);
      return await this.counted('sign_in', () =>
        this.passwordSignIn.signIn(DEPLOYMENT_REALM, email, password, origin),
      );
    }
    if (grantType === 'refresh_token') {
      const { refresh_token: token } = await validated(RefreshTokenGrant, body);
      return await this.counted('refresh', () => this.sessions.refresh(DEPLOYMENT_REALM, token, origin));
    }
    throw new ServiceError('unsupported_grant_type', {
      hint: 'POST /auth/v1/token?grant_type=password or ?grant_type=refresh_token',
    });
  }

  async recover({ token, password }: TokenAndPasswordBody, origin: Origin): Promise<TokenPair> {
    return await this.counted('recovery', () =>
      this.recovery.complete(DEPLOYMENT_REALM, token, password, origin),
    );
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
