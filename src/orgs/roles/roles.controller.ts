import { Body, Controller, Param, Query, Req, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  CurrentCaller,
  CurrentTenant,
  Endpoint,
  PageQuery,
  RequestOrigin,
  sendPage,
} from '../../platform/http/index.js';
import type { Caller, Origin, Tenant } from '../../platform/http/index.js';
import { ORG_PARAM } from '../directory/dto/organization-fields.js';
import { CreateRoleBody, RoleDto, toRoleDto, UpdateRoleBody } from './dto/role.js';
import { positionOf } from '../directory/list-position.js';
import { Roles } from './roles.js';

const ROLE_NAME = '[a-z][a-z0-9_-]{0,62}';

@ApiTags('Roles')
@ApiParam(ORG_PARAM)
@Controller('auth/v1/orgs/:org/roles')
export class RolesController {
  constructor(private readonly roles: Roles) {}

  @Endpoint.get('', {
    access: 'auth:roles:read',
    summary: 'Roles, newest first; the built-in ones are the oldest',
    response: [RoleDto],
    errors: ['validation_failed'],
  })
  async list(
    @CurrentTenant() tenant: Tenant,
    @Query() query: PageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RoleDto[]> {
    const page = await this.roles.list(tenant.id, query.limit, positionOf(query.cursor, ROLE_NAME));
    return sendPage(page, request, reply).map(toRoleDto);
  }

  @Endpoint.post('', {
    access: 'auth:roles:create',
    summary: 'Make a role',
    description: 'The caller must hold every permission in it.',
    status: 201,
    response: RoleDto,
    errors: ['validation_failed', 'session_revoked', 'permission_not_held', 'limit_reached', 'role_exists'],
  })
  async create(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
    @Body() body: CreateRoleBody,
  ): Promise<RoleDto> {
    return toRoleDto(await this.roles.create({ tenant, caller, origin }, body.name, body.permissions));
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
    summary: 'Change what a role allows, for all who have it',
    description: 'The caller must hold every permission that it has and every one that it will have.',
    response: RoleDto,
    errors: ['validation_failed', 'session_revoked', 'permission_not_held', 'role_not_found', 'builtin_role'],
  })
  async update(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
    @Param('name') name: string,
    @Body() body: UpdateRoleBody,
  ): Promise<RoleDto> {
    return toRoleDto(await this.roles.update({ tenant, caller, origin }, name, body.permissions));
  }

  @Endpoint.delete(':name', {
    access: 'auth:roles:delete',
    summary: 'Delete a role that nobody has',
    status: 204,
    errors: ['session_revoked', 'permission_not_held', 'role_not_found', 'role_in_use', 'builtin_role'],
  })
  async delete(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
    @Param('name') name: string,
  ): Promise<void> {
    await this.roles.delete({ tenant, caller, origin }, name);
  }
}
