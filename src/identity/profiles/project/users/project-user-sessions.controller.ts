import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../../audit/index.js';
import { CurrentCaller, CurrentProject, Endpoint, PageQuery, RequestOrigin } from '../../../../http/index.js';
import type { Caller, Origin, Page, ResolvedProject } from '../../../../http/index.js';
import { ManagedSessionDto, ManagedSessions, toManagedSessionDto } from '../../../managed-accounts/index.js';
import { realmOf } from '../../../own-account/own-account-access.js';

/** The sessions of a user of a project, for the holder of its service key. */
@ApiTags('Users')
@Controller('auth/v1/users/:id/sessions')
export class ProjectUserSessionsController {
  constructor(private readonly sessions: ManagedSessions) {}

  @Endpoint.get('', {
    access: 'service_key',
    summary: 'Live sessions of a user, newest first',
    response: [ManagedSessionDto],
    errors: ['validation_failed', 'user_not_found'],
  })
  async list(
    @CurrentProject() project: ResolvedProject,
    @Param('id') userId: string,
    @Query() query: PageQuery,
  ): Promise<Page<ManagedSessionDto>> {
    return (await this.sessions.list({ realm: realmOf(project), userId }, query)).map(toManagedSessionDto);
  }

  @Endpoint.delete('', {
    access: 'service_key',
    summary: 'End all sessions of a user',
    description: 'Every instance refuses their access tokens within a second. The user can sign in again.',
    status: 204,
    errors: ['user_not_found'],
  })
  async endAll(
    @CurrentProject() project: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @Param('id') userId: string,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.sessions.endAll({ realm: realmOf(project), userId, actor: actorOf(caller), origin });
  }

  @Endpoint.delete(':session_id', {
    access: 'service_key',
    summary: 'End a session of a user',
    description: 'Every instance refuses its access tokens within a second.',
    status: 204,
    errors: ['user_not_found', 'session_not_found'],
  })
  async end(
    @CurrentProject() project: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @Param('id') userId: string,
    @Param('session_id') sessionId: string,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.sessions.end({ realm: realmOf(project), userId, actor: actorOf(caller), origin }, sessionId);
  }
}
