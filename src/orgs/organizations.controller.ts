import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentTenant, CurrentUser, Endpoint, RequestOrigin } from '../platform/http/index.js';
import type { Origin, Tenant, UserCaller } from '../platform/http/index.js';
import {
  CreateOrganizationBody,
  OrganizationDto,
  PermissionsDto,
  toOrganizationDto,
} from './dto/organization.js';
import { Organizations } from './organizations.js';

@ApiTags('Organizations')
@Controller('auth/v1')
export class OrganizationsController {
  constructor(private readonly organizations: Organizations) {}

  @Endpoint.get('orgs', {
    access: 'user',
    summary: "The caller's organizations",
    response: [OrganizationDto],
  })
  async list(@CurrentUser() caller: UserCaller): Promise<OrganizationDto[]> {
    const memberships = await this.organizations.memberOf(caller.userId);
    return memberships.map(({ orgId, ...rest }) => toOrganizationDto({ id: orgId, ...rest }));
  }

  @Endpoint.post('orgs', {
    access: 'user',
    summary: 'Create an organization and own it',
    status: 201,
    response: OrganizationDto,
    errors: ['validation_failed', 'slug_taken'],
  })
  async create(
    @CurrentUser() caller: UserCaller,
    @Body() body: CreateOrganizationBody,
    @RequestOrigin() origin: Origin,
  ): Promise<OrganizationDto> {
    return toOrganizationDto(await this.organizations.create(caller.userId, body, origin));
  }

  @Endpoint.get('permissions', {
    access: 'member',
    summary: "The caller's effective permissions in the active organization",
    response: PermissionsDto,
  })
  permissions(@CurrentTenant() { id, slug, name, role, permissions }: Tenant): PermissionsDto {
    return { org: { id, slug, name }, role, permissions };
  }
}
