import { Inject, Injectable } from '@nestjs/common';
import type { Origin } from '../http/index.js';
import { IdentityProfile, Operators, Sessions, UserSessions } from '../identity/index.js';
import type { TokenPair } from '../identity/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { toConsoleSessionDto } from './dto.js';
import type { ConsoleSessionDto } from './dto.js';

/** The session of an account as the console receives it, and what the cookie keeps of it. */
export interface AccountSession {
  readonly refreshToken: string;
  readonly shown: ConsoleSessionDto;
}

/** Console sessions of accounts. They are sessions of the identity core, and the cookie keeps their refresh tokens. */
@Injectable()
export class ConsoleSessions {
  constructor(
    private readonly sessions: Sessions,
    private readonly userSessions: UserSessions,
    private readonly operators: Operators,
    private readonly profile: IdentityProfile,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @param pair from a sign-in or a renewal */
  async shown(pair: TokenPair): Promise<AccountSession> {
    const access = await this.operators.accessOf(pair.user.id);
    return { refreshToken: pair.refreshToken, shown: toConsoleSessionDto(pair, access) };
  }

  /** @throws invalid_refresh_token, refresh_token_reused, session_revoked */
  async refresh(refreshToken: string, origin: Origin): Promise<AccountSession> {
    const { operatorRealm } = this.profile;
    // All tabs of a browser share the cookie. Two may renew the session with the same token at once, or a reload may
    // drop the response. For a while the token returns the same successor again, and neither use counts as a stolen
    // token.
    const graceSecs = this.config.timing.lives.consoleRefreshGraceSecs;
    return await this.shown(await this.sessions.refresh(operatorRealm, refreshToken, origin, graceSecs));
  }

  /** An unknown token ends nothing. */
  async end(refreshToken: string, origin: Origin): Promise<void> {
    await this.userSessions.logout({ realmId: this.profile.operatorRealm, refreshToken }, 'local', origin);
  }
}
