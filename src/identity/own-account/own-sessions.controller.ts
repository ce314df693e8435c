import { Controller, Param, Query } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentUser, Endpoint, PageQuery, RequestOrigin } from '../../http/index.js';
import type { Origin, Page, UserCaller } from '../../http/index.js';
import { toUserSessionDto, UserSessionDto } from './user-session.dto.js';
import type { OwnAccountAccess } from './own-account-access.js';
import { UserSessions } from '../sessions/user-sessions.js';

/** The sessions of a user, for that user. */
export function ownSessionsController(access: OwnAccountAccess): Type {
  @ApiTags('Identity')
  @Controller('auth/v1/sessions')
  class OwnSessionsController {
    constructor(private readonly sessions: UserSessions) {}

    @Endpoint.get('', {
      ...access,
      summary: "The caller's live sessions, newest first",
      response: [UserSessionDto],
      errors: ['validation_failed'],
    })
    async list(@CurrentUser() caller: UserCaller, @Query() query: PageQuery): Promise<Page<UserSessionDto>> {
      const page = await this.sessions.list(caller.userId, query);
      return page.map((session) => toUserSessionDto(session, caller.sessionId));
    }

    @Endpoint.delete(':id', {
      ...access,
      summary: "End one of the caller's sessions",
      status: 204,
      errors: ['session_not_found', 'session_revoked', 'overloaded'],
    })
    async revoke(
      @CurrentUser() caller: UserCaller,
      @Param('id') id: string,
      @RequestOrigin() origin: Origin,
    ): Promise<void> {
      await this.sessions.revoke(caller, id, origin);
    }
  }
  return OwnSessionsController;
}
