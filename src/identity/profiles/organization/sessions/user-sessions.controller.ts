import { Body, Controller, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentUser, Endpoint, PageQuery, RequestOrigin } from '../../../../http/index.js';
import type { Page, Origin, ServiceRequest, UserCaller } from '../../../../http/index.js';
import { UserSessions } from '../../../sessions/user-sessions.js';
import { toUserSessionDto, UserSessionDto } from '../../../user-session.dto.js';
import { LogoutBody } from '../dto/account.js';
import { Logout } from './logout.js';

@ApiTags('Identity')
@Controller('auth/v1')
export class UserSessionsController {
  constructor(
    private readonly sessions: UserSessions,
    private readonly logout: Logout,
  ) {}

  @Endpoint.post('logout', {
    access: 'optional',
    summary: 'End this session, the other ones, or all',
    description:
      'By access token, or by `refresh_token` in the body, whose session counts when both are sent. An ' +
      'unknown refresh token is answered with 204 as well, and so is a session that has ended, with `local`; it ends no ' +
      'other one. Access tokens live on until they expire.',
    status: 204,
    errors: ['validation_failed', 'unauthenticated', 'user_required', 'session_revoked'],
  })
  async logOut(
    @Req() { caller }: ServiceRequest,
    @Body() body: LogoutBody,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.logout.logOut(caller, body, origin);
  }

  @Endpoint.get('sessions', {
    access: 'user',
    ownAccount: true,
    summary: "The caller's live sessions, newest first",
    response: [UserSessionDto],
    errors: ['validation_failed'],
  })
  async list(@CurrentUser() caller: UserCaller, @Query() query: PageQuery): Promise<Page<UserSessionDto>> {
    const page = await this.sessions.list(caller.userId, query);
    return page.map((session) => toUserSessionDto(session, caller.sessionId));
  }

  @Endpoint.delete('sessions/:id', {
    access: 'user',
    ownAccount: true,
    summary: "End one of the caller's sessions",
    status: 204,
    errors: ['session_not_found', 'session_revoked'],
  })
  async revoke(
    @CurrentUser() caller: UserCaller,
    @Param('id') id: string,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.sessions.revoke(caller, id, origin);
  }
}
