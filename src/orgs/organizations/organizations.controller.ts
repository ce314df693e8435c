import { Body, Controller, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import {
  CurrentRequester,
  CurrentTenant,
  CurrentUser,
  Endpoint,
  PageQuery,
  RequestOrigin,
} from '../../http/index.js';
import type { Page, Origin, Requester, Tenant, UserCaller } from '../../http/index.js';
import { ORG_PARAM } from '../../rbac/index.js';
import {
  CreateOrganizationBody,
  OrganizationDto,
  PermissionsDto,
  toOrganizationDto,
  UpdateOrganizationBody,
} from '../directory/dto/organization.js';
import { UserMemberships } from '../members/memberships.js';
import { wantedSettings } from './organization-changes.js';
import { OrganizationCreation } from './organization-creation.js';
import { OrganizationSettings } from './organization-settings.js';

@ApiTags('Organizations')
@Controller('auth/v1')
export class OrganizationsController {
  constructor(
    private readonly creation: OrganizationCreation,
    private readonly settings: OrganizationSettings,
    private readonly memberships: UserMemberships,
  ) {}

  @Endpoint.get('orgs', {
    access: 'user',
    summary: "The caller's organizations, newest first",
    response: [OrganizationDto],
    errors: ['validation_failed'],
  })
  async list(@CurrentUser() caller: UserCaller, @Query() query: PageQuery): Promise<Page<OrganizationDto>> {
    const page = await this.memberships.list(caller.userId, query);
    return page.map(toOrganizationDto);
  }

  @Endpoint.post('orgs', {
    access: 'user',
    summary: 'Create an organization and own it',
    status: 201,
    response: OrganizationDto,
    description:
      'Where `identity.organization_creation` is `operator`, the operator alone does: `POST /admin/v1/orgs`.',
    errors: [
      'validation_failed',
      'permission_denied',
      'session_revoked',
      'limit_reached',
      'slug_taken',
      'overloaded',
    ],
  })
  async create(
    @CurrentUser() caller: UserCaller,
    @Body() body: CreateOrganizationBody,
    @RequestOrigin() origin: Origin,
  ): Promise<OrganizationDto> {
    return toOrganizationDto(await this.creation.byUser(caller, body, origin));
  }

  @Endpoint.get('orgs/:org', {
    access: 'member',
    summary: 'An organization, named by id, slug or former slug',
    response: OrganizationDto,
  })
  @ApiParam(ORG_PARAM)
  async show(@CurrentTenant() tenant: Tenant): Promise<OrganizationDto> {
    return toOrganizationDto(await this.settings.find(tenant.id));
  }

  @Endpoint.patch('orgs/:org', {
    access: 'auth:orgs:update',
    summary: 'Change the name, the slug or the settings of an organization',
    description: 'For 30 days, the old slug still refers to the organization and nobody else can take it.',
    response: OrganizationDto,
    errors: ['validation_failed', 'session_revoked', 'slug_taken', 'limit_reached', 'factor_required'],
  })
  @ApiParam(ORG_PARAM)
  async update(
    @CurrentRequester() by: Requester,
    @Body() body: UpdateOrganizationBody,
  ): Promise<OrganizationDto> {
    return toOrganizationDto(await this.settings.update(by, wantedSettings(body)));
  }

  @Endpoint.delete('orgs/:org', {
    access: 'auth:orgs:delete',
    summary: 'Delete an organization with everything that belongs to it',
    description:
      'Deletes its members, roles, invitations, API keys and jobs; its audit entries stay. This cannot be undone.',
    status: 204,
  })
  @ApiParam(ORG_PARAM)
  async delete(@CurrentRequester() by: Requester): Promise<void> {
    await this.settings.delete(by);
  }

  @Endpoint.get('permissions', {
    access: 'member',
    summary: "The caller's effective permissions in the active organization",
    description: 'Of a run, those of its token, which still changes nothing under `/auth/v1`.',
    response: PermissionsDto,
  })
  permissions(@CurrentTenant() { id, slug, name, role, permissions }: Tenant): PermissionsDto {
    return { org: { id, slug, name }, role, permissions };
  }
}
