import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../audit/index.js';
import { CurrentOperator, decodeCursor, Endpoint, pageOf, RequestOrigin } from '../../http/index.js';
import type { OperatorCaller, Origin, Page } from '../../http/index.js';
import { OrganizationDto, toOrganizationDto, UpdateOrganizationBody } from '../directory/dto/organization.js';
import {
  CreateOwnedOrganizationBody,
  OperatorOrganizationDto,
  OperatorOrganizationQuery,
  ownerOf,
  toOperatorOrganizationDto,
} from './dto/operator-organization.js';
import { wantedSettings } from './organization-changes.js';
import { OrganizationCreation } from './organization-creation.js';
import { OperatorOrganizationSettings } from './organization-settings.js';
import { OperatorOrganizations } from './organizations.js';

@ApiTags('Operator')
@Controller('admin/v1/orgs')
export class OperatorOrganizationsController {
  constructor(
    private readonly organizations: OperatorOrganizations,
    private readonly creation: OrganizationCreation,
    private readonly settings: OperatorOrganizationSettings,
  ) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'Organizations, newest first',
    response: [OperatorOrganizationDto],
    errors: ['validation_failed'],
  })
  async list(
    @Query() { limit, cursor, search }: OperatorOrganizationQuery,
  ): Promise<Page<OperatorOrganizationDto>> {
    const found = await this.organizations.list(limit + 1, decodeCursor(cursor), search ?? null);
    return pageOf(found, limit, ({ id }) => id).map(toOperatorOrganizationDto);
  }

  @Endpoint.get(':org', {
    access: 'operator',
    summary: 'Any organization, named by id, slug or former slug',
    response: OperatorOrganizationDto,
    errors: ['org_not_found'],
  })
  @ApiParam({ name: 'org', type: String, example: 'acme', description: 'Organization id or slug.' })
  async show(@Param('org') org: string): Promise<OperatorOrganizationDto> {
    return toOperatorOrganizationDto(await this.organizations.find(org));
  }

  @Endpoint.post('', {
    access: 'operator',
    summary: 'Create an organization for an account, which owns it',
    description:
      'An account whose address nobody has proven is refused by `owner_email`, because anyone can sign up with any ' +
      'address; `owner_id` accepts it.',
    status: 201,
    response: OperatorOrganizationDto,
    errors: ['validation_failed', 'user_not_found', 'email_not_verified', 'slug_taken'],
  })
  async create(
    @Body() body: CreateOwnedOrganizationBody,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<OperatorOrganizationDto> {
    const { slug, name } = body;
    const made = await this.creation.byOperator(
      ownerOf(body),
      { slug, name },
      { actor: actorOf(operator), origin },
    );
    return toOperatorOrganizationDto({ ...made, members: 1 });
  }

  @Endpoint.patch(':org', {
    access: 'operator',
    summary: 'Change the name, the slug or the settings of any organization',
    description:
      'For 30 days, the old slug still refers to the organization and nobody else can take it. If you demand a second ' +
      'factor, members without one are refused there until they have added one to their account.',
    response: OrganizationDto,
    errors: ['validation_failed', 'org_not_found', 'slug_taken', 'limit_reached', 'overloaded'],
  })
  @ApiParam({ name: 'org', type: String, example: 'acme', description: 'Organization id or slug.' })
  async update(
    @Param('org') org: string,
    @Body() body: UpdateOrganizationBody,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<OrganizationDto> {
    const by = { actor: actorOf(operator), origin };
    return toOrganizationDto(await this.settings.update(org, wantedSettings(body), by));
  }

  @Endpoint.delete(':org', {
    access: 'operator',
    summary: 'Delete any organization with everything that belongs to it',
    description:
      'Deletes its members, roles, invitations, API keys and jobs; its audit entries and the accounts of its members ' +
      'stay. This cannot be undone.',
    status: 204,
    errors: ['org_not_found', 'overloaded'],
  })
  @ApiParam({ name: 'org', type: String, example: 'acme', description: 'Organization id or slug.' })
  async delete(
    @Param('org') org: string,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.settings.delete(org, { actor: actorOf(operator), origin });
  }
}
