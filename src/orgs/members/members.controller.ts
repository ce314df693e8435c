import { Body, Param, Query } from '@nestjs/common';
import { UUID_PATTERN } from '../../platform/crypto/index.js';
import { CurrentRequester, CurrentTenant, Endpoint, PageQuery, positionOf } from '../../http/index.js';
import type { Page, Requester, Tenant } from '../../http/index.js';
import { OrganizationRoutes } from '../../rbac/index.js';
import { MemberDto, RemoveMemberQuery, toMemberDto, UpdateMemberBody } from './dto/member.js';
import { Members } from './members.js';

@OrganizationRoutes('members', 'Members')
export class MembersController {
  constructor(private readonly members: Members) {}

  @Endpoint.get('', {
    access: 'auth:members:read',
    summary: 'Members, newest first',
    response: [MemberDto],
    errors: ['validation_failed'],
  })
  async list(@CurrentTenant() tenant: Tenant, @Query() query: PageQuery): Promise<Page<MemberDto>> {
    const page = await this.members.list(tenant.id, query.limit, positionOf(query.cursor, UUID_PATTERN));
    return page.map(toMemberDto);
  }

  @Endpoint.patch(':user_id', {
    access: 'auth:members:update',
    summary: 'Give a member another role',
    description:
      'The caller must hold every permission of the role the member has and of the one to be given.',
    response: MemberDto,
    errors: [
      'validation_failed',
      'session_revoked',
      'unknown_role',
      'permission_not_held',
      'member_not_found',
      'last_owner',
      'limit_reached',
    ],
  })
  async update(
    @CurrentRequester() by: Requester,
    @Param('user_id') userId: string,
    @Body() body: UpdateMemberBody,
  ): Promise<MemberDto> {
    return toMemberDto(await this.members.changeRole(by, userId, body.role));
  }

  @Endpoint.delete(':user_id', {
    access: 'member',
    summary: 'Remove a member, or leave',
    description:
      'Requires the permission `auth:members:delete`, except that every member may leave. API keys that the member made ' +
      'stay in force, as those of programs do, unless you revoke them.',
    status: 204,
    leaves: true,
    errors: [
      'validation_failed',
      'session_revoked',
      'permission_denied',
      'permission_not_held',
      'member_not_found',
      'last_owner',
    ],
  })
  async remove(
    @CurrentRequester() by: Requester,
    @Param('user_id') userId: string,
    @Query() { revoke_keys: revokesKeys = false }: RemoveMemberQuery,
  ): Promise<void> {
    await this.members.remove(by, userId, revokesKeys);
  }
}
