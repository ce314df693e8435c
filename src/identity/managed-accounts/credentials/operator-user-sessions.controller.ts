import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../audit/index.js';
import { CurrentOperator, Endpoint, PageQuery, RequestOrigin } from '../../../http/index.js';
import type { OperatorCaller, Origin, Page } from '../../../http/index.js';
import { DEPLOYMENT_REALM } from '../../users/user.repository.js';
import { ManagedSessionDto, toManagedSessionDto } from '../dto/managed-session.js';
import { ManagedSessions } from './managed-sessions.js';

/** The sessions of a user, for the operator. */
@ApiTags('Operator')
@Controller('admin/v1/users/:id/sessions')
export class OperatorUserSessionsController {
  constructor(private readonly sessions: ManagedSessions) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'Live sessions of a user, newest first',
    response: [ManagedSessionDto],
    errors: ['validation_failed', 'user_not_found'],
  })
  async list(@Param('id') userId: string, @Query() query: PageQuery): Promise<Page<ManagedSessionDto>> {
    return (await this.sessions.list({ realm: DEPLOYMENT_REALM, userId }, query)).map(toManagedSessionDto);
  }

  @Endpoint.delete('', {
    access: 'operator',
    summary: 'End all sessions of a user',
    description: 'Every instance refuses their access tokens within a second. The user can sign in again.',
    status: 204,
    errors: ['user_not_found', 'overloaded'],
  })
  async endAll(
    @Param('id') userId: string,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.sessions.endAll({ realm: DEPLOYMENT_REALM, userId, actor: actorOf(operator), origin });
  }

  @Endpoint.delete(':session_id', {
    access: 'operator',
    summary: 'End a session of a user',
    description: 'Every instance refuses its access tokens within a second.',
    status: 204,
    errors: ['user_not_found', 'session_not_found', 'overloaded'],
  })
  async end(
    @Param('id') userId: string,
    @Param('session_id') sessionId: string,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.sessions.end({ realm: DEPLOYMENT_REALM, userId, actor: actorOf(operator), origin }, sessionId);
  }
}
