import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../audit/index.js';
import {
  CurrentOperator,
  decodeCursor,
  Endpoint,
  PageQuery,
  pageOf,
  RequestOrigin,
} from '../../http/index.js';
import type { OperatorCaller, Origin, Page } from '../../http/index.js';
import { toOrganizationDto } from '../directory/dto/organization.js';
import {
  CreateOwnedOrganizationBody,
  OperatorOrganizationDto,
  ownerOf,
} from './dto/operator-organization.js';
import { OrganizationCreation } from './organization-creation.js';
import { OperatorOrganizations } from './organizations.js';

@ApiTags('Operator')
@Controller('admin/v1/orgs')
export class OperatorOrganizationsController {
  constructor(
    private readonly organizations: OperatorOrganizations,
    private readonly creation: OrganizationCreation,
  ) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'Organizations, newest first',
    response: [OperatorOrganizationDto],
    errors: ['validation_failed'],
  })
  async list(@Query() { limit, cursor }: PageQuery): Promise<Page<OperatorOrganizationDto>> {
    const before = decodeCursor(cursor);
    const page = pageOf(await this.organizations.list(limit + 1, before), limit, ({ id }) => id);
    return page.map((organization) => ({
      ...toOrganizationDto(organization),
      members: organization.members,
    }));
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
    return { ...toOrganizationDto(made), members: 1 };
  }
}
