import { Inject, Injectable } from '@nestjs/common';
import { AuthMetrics } from '../../audit/index.js';
import type { AuthEvent } from '../../audit/index.js';
import { ServiceError } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { IdentityProfile, Operators, Sessions, UserSessions } from '../../identity/index.js';
import type {
  OfferedPasskeySignIn,
  PasskeyGrant,
  PasswordGrant,
  SecondFactorGrant,
  TokenPair,
} from '../../identity/index.js';
import { ConsoleSignIns } from './console-sign-ins.js';
import { toConsoleSessionDto } from './dto.js';
import type { ConsoleSessionDto } from './dto.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';

/** A session of an account as the console gets it, and what the cookie keeps of it. */
export interface AccountSession {
  readonly refreshToken: string;
  readonly shown: ConsoleSessionDto;
}

/** Sessions of accounts in the console: those of the identity core, whose refresh tokens the cookie keeps. */
@Injectable()
export class ConsoleSessions {
  constructor(
    private readonly signIns: ConsoleSignIns,
    private readonly sessions: Sessions,
    private readonly userSessions: UserSessions,
    private readonly operators: Operators,
    private readonly profile: IdentityProfile,
    private readonly metrics: AuthMetrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws invalid_credentials, second_factor_required, rate_limited, overloaded */
  async signIn(grant: PasswordGrant, origin: Origin): Promise<AccountSession> {
    return await this.counted('sign_in', () => this.signIns.byPassword(grant, origin));
  }

  /** @throws invalid_challenge, invalid_second_factor, rate_limited, overloaded */
  async completeSignIn(grant: SecondFactorGrant, origin: Origin): Promise<AccountSession> {
    return await this.counted('sign_in', () => this.signIns.bySecondFactor(grant, origin));
  }

  /** What begins a sign-in by a passkey. */
  async passkeyOptions(): Promise<OfferedPasskeySignIn> {
    return await this.signIns.passkeyOptions();
  }

  /** @throws invalid_challenge, invalid_passkey, rate_limited, overloaded */
  async signInByPasskey(grant: PasskeyGrant, origin: Origin): Promise<AccountSession> {
    return await this.counted('sign_in', () => this.signIns.byPasskey(grant, origin));
  }

  /** Creates the first operator. @throws setup_closed, invalid_setup_code, weak_password, invalid_credentials, overloaded */
  async setUp(code: string, account: PasswordGrant, origin: Origin): Promise<AccountSession> {
    return await this.counted('sign_in', () => this.signIns.bySetupCode(code, account, origin));
  }

  /** @throws invalid_refresh_token, refresh_token_reused, session_revoked */
  async refresh(refreshToken: string, origin: Origin): Promise<AccountSession> {
    const { operatorRealm } = this.profile;
    // All tabs of a browser share the cookie, and two may renew the session by the same token at once, or a reload may
    // drop the answer. For a while the token yields the same successor again, and neither counts as a stolen token.
    const graceSecs = this.config.timing.lives.consoleRefreshGraceSecs;
    return await this.counted('refresh', () =>
      this.sessions.refresh(operatorRealm, refreshToken, origin, graceSecs),
    );
  }

  /** An unknown token ends nothing. */
  async end(refreshToken: string, origin: Origin): Promise<void> {
    await this.userSessions.logout({ realmId: this.profile.operatorRealm, refreshToken }, 'local', origin);
  }

  private async counted(event: AuthEvent, work: () => Promise<TokenPair>): Promise<AccountSession> {
    try {
      const pair = await work();
      const access = await this.operators.accessOf(pair.user.id);
      this.metrics.record(event, 'success');
      return { refreshToken: pair.refreshToken, shown: toConsoleSessionDto(pair, access) };
    } catch (error) {
      this.metrics.record(event, error instanceof ServiceError ? error.code : 'internal_error');
      throw error;
    }
  }
}
