import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../../../http/index.js';
import type { Caller, Origin } from '../../../../http/index.js';
import { UserSessions } from '../../../sessions/user-sessions.js';
import { DEPLOYMENT_REALM } from '../../../users/user.repository.js';
import type { LogoutBody } from '../dto/account.js';

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
