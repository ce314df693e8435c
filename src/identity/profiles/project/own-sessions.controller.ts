import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentUser, Endpoint, PageQuery, RequestOrigin } from '../../../http/index.js';
import type { Origin, Page, UserCaller } from '../../../http/index.js';
import { toUserSessionDto, UserSessionDto } from '../../user-session.dto.js';
import { UserSessions } from '../../sessions/user-sessions.js';

/** The sessions of a user of a project, for that user. */
@ApiTags('Identity')
@Controller('auth/v1/sessions')
export class ProjectOwnSessionsController {
  constructor(private readonly sessions: UserSessions) {}

  @Endpoint.get('', {
    access: 'project_user',
    ownAccount: true,
    isForOperatorsToo: true,
    summary: "The caller's live sessions, newest first",
    response: [UserSessionDto],
    errors: ['validation_failed'],
  })
  async list(@CurrentUser() caller: UserCaller, @Query() query: PageQuery): Promise<Page<UserSessionDto>> {
    const page = await this.sessions.list(caller.userId, query);
    return page.map((session) => toUserSessionDto(session, caller.sessionId));
  }

  @Endpoint.delete('', {
    access: 'project_user',
    ownAccount: true,
    isForOperatorsToo: true,
    summary: "End the caller's other sessions",
    description: 'Access tokens live on until they expire.',
    status: 204,
    errors: ['session_revoked', 'overloaded'],
  })
  async endOthers(@CurrentUser() caller: UserCaller, @RequestOrigin() origin: Origin): Promise<void> {
    await this.sessions.logout(caller, 'others', origin);
  }

  @Endpoint.delete(':id', {
    access: 'project_user',
    ownAccount: true,
    isForOperatorsToo: true,
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
