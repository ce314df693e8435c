import { Body, Param, Query } from '@nestjs/common';
import { CurrentRequester, CurrentTenant, Endpoint, PageQuery, positionOf } from '../http/index.js';
import type { Page, Requester, Tenant } from '../http/index.js';
import { CreateRoleBody, ROLE_NAME, RoleDto, toRoleDto, UpdateRoleBody } from './dto/role.js';
import { OrganizationRoutes } from './organization-commands.js';
import { Roles } from './roles.js';

@OrganizationRoutes('roles', 'Roles')
export class RolesController {
  constructor(private readonly roles: Roles) {}

  @Endpoint.get('', {
    access: 'auth:roles:read',
    summary: 'Roles, newest first; the built-in ones are the oldest',
    response: [RoleDto],
    errors: ['validation_failed'],
  })
  async list(@CurrentTenant() tenant: Tenant, @Query() query: PageQuery): Promise<Page<RoleDto>> {
    const page = await this.roles.list(tenant.id, query.limit, positionOf(query.cursor, ROLE_NAME));
    return page.map(toRoleDto);
  }

  @Endpoint.post('', {
    access: 'auth:roles:create',
    summary: 'Create a role',
    description: 'The caller must hold every permission in it.',
    status: 201,
    response: RoleDto,
    errors: ['validation_failed', 'session_revoked', 'permission_not_held', 'limit_reached', 'role_exists'],
  })
  async create(@CurrentRequester() by: Requester, @Body() body: CreateRoleBody): Promise<RoleDto> {
    return toRoleDto(await this.roles.create(by, body.name, body.permissions));
  }

  @Endpoint.get(':name', {
    access: 'auth:roles:read',
    summary: 'A role',
    response: RoleDto,
    errors: ['role_not_found'],
  })
  async show(@CurrentTenant() tenant: Tenant, @Param('name') name: string): Promise<RoleDto> {
    return toRoleDto(await this.roles.find(tenant.id, name));
  }

  @Endpoint.patch(':name', {
    access: 'auth:roles:update',
    summary: 'Change what a role allows, for everyone who has it',
    description: 'The caller must hold all of its former and all of its new permissions.',
    response: RoleDto,
    errors: ['validation_failed', 'session_revoked', 'permission_not_held', 'role_not_found', 'builtin_role'],
  })
  async update(
    @CurrentRequester() by: Requester,
    @Param('name') name: string,
    @Body() body: UpdateRoleBody,
  ): Promise<RoleDto> {
    return toRoleDto(await this.roles.update(by, name, body.permissions));
  }

  @Endpoint.delete(':name', {
    access: 'auth:roles:delete',
    summary: 'Delete a role that nobody has',
    status: 204,
    errors: ['session_revoked', 'permission_not_held', 'role_not_found', 'role_in_use', 'builtin_role'],
  })
  async delete(@CurrentRequester() by: Requester, @Param('name') name: string): Promise<void> {
    await this.roles.delete(by, name);
  }
}
