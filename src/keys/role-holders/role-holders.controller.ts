import { Param } from '@nestjs/common';
import { CurrentTenant, Endpoint } from '../../http/index.js';
import type { Tenant } from '../../http/index.js';
import { covers, OrganizationRoutes } from '../../rbac/index.js';
import { RoleHolders } from './role-holders.js';
import { RoleHoldersDto, toRoleHoldersDto } from './role-holders.dto.js';

@OrganizationRoutes('roles', 'Roles')
export class RoleHoldersController {
  constructor(private readonly holders: RoleHolders) {}

  @Endpoint.get(':name/holders', {
    access: 'auth:members:read',
    summary: 'Who has a role: members, pending invitations, and API keys that may do as much',
    description:
      'These are the callers that a change of the role concerns, and API keys with the same permissions or more.',
    response: RoleHoldersDto,
    errors: ['role_not_found'],
  })
  async list(@CurrentTenant() tenant: Tenant, @Param('name') name: string): Promise<RoleHoldersDto> {
    const seesKeys = covers(tenant.permissions, 'auth:keys:read');
    const seesRoles = covers(tenant.permissions, 'auth:roles:read');
    return toRoleHoldersDto(await this.holders.find(tenant.id, name, seesKeys), seesRoles);
  }
}
