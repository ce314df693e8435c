import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../../http/index.js';
import type { Caller, Origin } from '../../../http/index.js';
import { UserSessions } from '../../sessions/user-sessions.js';
import type { RealmId } from '../../users/user.repository.js';
import type { ProjectLogoutBody } from './dto/session.js';

/** Ends the session of the refresh token, or else of the access token. */
@Injectable()
export class ProjectLogout {
  constructor(private readonly sessions: UserSessions) {}

  /** @throws unauthenticated with neither */
  async logOut(
    realmId: RealmId,
    caller: Caller | undefined,
    { refresh_token: refreshToken }: ProjectLogoutBody,
    origin: Origin,
  ): Promise<void> {
    if (refreshToken !== undefined) await this.sessions.logout({ realmId, refreshToken }, 'local', origin);
    else if (caller?.type === 'user') await this.sessions.logout(caller, 'local', origin);
    else
      throw new ServiceError('unauthenticated', {
        hint: 'Send refresh_token in the body, or an access token.',
      });
  }
}
