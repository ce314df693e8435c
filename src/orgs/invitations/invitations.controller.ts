import { Body, Param, Query } from '@nestjs/common';
import { CurrentRequester, CurrentTenant, decodeCursor, Endpoint, PageQuery } from '../../http/index.js';
import type { Page, Requester, Tenant } from '../../http/index.js';
import { OrganizationRoutes } from '../../rbac/index.js';
import {
  CreatedInvitationDto,
  CreateInvitationBody,
  InvitationDto,
  toInvitationDto,
} from './dto/invitation.js';
import { Invitations } from './invitations.js';

@OrganizationRoutes('invitations', 'Invitations')
export class InvitationsController {
  constructor(private readonly invitations: Invitations) {}

  @Endpoint.get('', {
    access: 'auth:members:read',
    summary: 'Invitations of every status, newest first',
    response: [InvitationDto],
    errors: ['validation_failed'],
  })
  async list(@CurrentTenant() tenant: Tenant, @Query() query: PageQuery): Promise<Page<InvitationDto>> {
    const before = decodeCursor(query.cursor);
    const page = await this.invitations.list(tenant.id, query.limit, before);
    return page.map(toInvitationDto);
  }

  @Endpoint.post('', {
    access: 'auth:members:invite',
    summary: 'Invite an address',
    description:
      'The caller must hold every permission of the role. Inviting an address again replaces its pending ' +
      'invitation. The invitation can be accepted for 7 days. Mails are limited by recipient and by organization ' +
      '(`limits.mail_interval_secs`, `limits.mails_per_recipient`, `limits.mails_per_sender`).',
    status: 201,
    response: CreatedInvitationDto,
    errors: [
      'validation_failed',
      'session_revoked',
      'unknown_role',
      'permission_not_held',
      'already_member',
      'limit_reached',
      'rate_limited',
    ],
  })
  async create(
    @CurrentRequester() by: Requester,
    @Body() body: CreateInvitationBody,
  ): Promise<CreatedInvitationDto> {
    return toInvitationDto(await this.invitations.create(by, body));
  }

  @Endpoint.delete(':id', {
    access: 'auth:members:invite',
    summary: 'Revoke a pending invitation and its link',
    status: 204,
    errors: ['session_revoked', 'permission_not_held', 'invitation_not_found'],
  })
  async revoke(@CurrentRequester() by: Requester, @Param('id') id: string): Promise<void> {
    await this.invitations.revoke(by, id);
  }
}
