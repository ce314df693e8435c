import { Body, Controller } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../../audit/index.js';
import { CurrentCaller, CurrentProject, Endpoint, RequestOrigin } from '../../../../http/index.js';
import type { Caller, Origin, ResolvedProject } from '../../../../http/index.js';
import { byTokenOf, InvitationRequestBody, TokenAndPasswordBody } from '../../../credentials.js';
import { ProjectSessionDto, ProjectUserDto, toProjectSessionDto, toProjectUserDto } from '../dto/session.js';
import { realmOf } from '../../../own-account/own-account-access.js';
import { InvitationAcceptance } from './invitation-acceptance.js';
import { Invitations } from './invitations.js';

export class InvitedDto {
  @ApiProperty()
  user!: ProjectUserDto;

  @ApiProperty({ format: 'date-time', description: 'Until when it can be accepted: 7 days.' })
  expires_at!: string;
}

@ApiTags('Identity')
@Controller('auth/v1/invite')
export class ProjectInvitationsController {
  constructor(
    private readonly invitations: Invitations,
    private readonly acceptance: InvitationAcceptance,
  ) {}

  @Endpoint.post('', {
    access: 'service_key',
    summary: 'Invite an address by mail',
    description:
      'The user exists from then on, and can sign in once the invitation is accepted. When the mail cannot be sent, ' +
      'or the invitation expires, the user goes again.',
    status: 201,
    response: InvitedDto,
    errors: [
      'validation_failed',
      'mail_not_configured',
      'mail_failed',
      'limit_reached',
      'email_taken',
      'rate_limited',
    ],
  })
  async invite(
    @CurrentProject() project: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @Body() body: InvitationRequestBody,
    @RequestOrigin() origin: Origin,
  ): Promise<InvitedDto> {
    const request = { ...body, project, actor: actorOf(caller), origin };
    const { user, expiresAt } = await this.invitations.invite(request);
    return { user: toProjectUserDto(user), expires_at: expiresAt.toISOString() };
  }

  @Endpoint.post('accept', {
    access: 'project',
    summary: 'Accept an invitation: set the password, and sign in',
    response: ProjectSessionDto,
    errors: ['validation_failed', 'weak_password', 'invalid_token', 'second_factor_required', 'overloaded'],
  })
  async accept(
    @CurrentProject() project: ResolvedProject,
    @Body() body: TokenAndPasswordBody,
    @RequestOrigin() origin: Origin,
  ): Promise<ProjectSessionDto> {
    return toProjectSessionDto(
      await this.acceptance.accept({ ...byTokenOf(body), realmId: realmOf(project), origin }),
    );
  }
}
