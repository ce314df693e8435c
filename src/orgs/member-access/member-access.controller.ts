import { Param, Query } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { CurrentTenant, Endpoint } from '../../http/index.js';
import type { Tenant } from '../../http/index.js';
import { covers, OrganizationRoutes, readConcretePermission } from '../../rbac/index.js';
import { MemberAccesses } from './member-access.js';
import { MemberAccessDto, toMemberAccessDto } from './member-access.dto.js';

@OrganizationRoutes('members', 'Members')
export class MemberAccessController {
  constructor(private readonly accesses: MemberAccesses) {}

  @Endpoint.get(':user_id/access', {
    access: 'auth:members:read',
    summary: 'Whether a member may do something, and which permission of their role grants it',
    description: 'Explains the permission that you name. It changes nothing, and asks nothing of the member.',
    response: MemberAccessDto,
    errors: ['validation_failed', 'member_not_found'],
  })
  @ApiQuery({
    name: 'permission',
    type: String,
    example: 'data:orders:delete',
    description: '`<capability>:<resource>:<action>`, without `*`.',
  })
  async explain(
    @CurrentTenant() tenant: Tenant,
    @Param('user_id') userId: string,
    @Query('permission') permission: unknown,
  ): Promise<MemberAccessDto> {
    const wanted = readConcretePermission(permission, 'permission');
    const seesRoles = covers(tenant.permissions, 'auth:roles:read');
    return toMemberAccessDto(await this.accesses.explain(tenant.id, userId, wanted), seesRoles);
  }
}
