import { Controller, Param, Query } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { UserRepository } from '../../identity/index.js';
import { isUuid } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { decodeCursor, Endpoint, PageQuery, pageOf, ServiceError } from '../../http/index.js';
import type { Page } from '../../http/index.js';
import { MembershipRepository } from './membership.repository.js';
import type { UserOrganizationOfOperator } from './membership.repository.js';

export class OperatorUserOrganizationDto {
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  @ApiProperty({ type: String, example: 'acme' })
  slug!: string;

  @ApiProperty({ type: String, example: 'Acme Inc.' })
  name!: string;

  @ApiProperty({ type: String, example: 'owner' })
  role!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  joined_at!: string;

  @ApiProperty({
    type: Boolean,
    description:
      'Whether the user owns it and no other owner can sign in: it should be handed over before they leave.',
  })
  only_owner!: boolean;
}

function toDto({ joinedAt, isOnlyOwner, ...rest }: UserOrganizationOfOperator): OperatorUserOrganizationDto {
  return { ...rest, joined_at: joinedAt.toISOString(), only_owner: isOnlyOwner };
}

/** The organizations of a user, for the operator. */
@ApiTags('Operator')
@Controller('admin/v1/users/:id/organizations')
export class OperatorUserOrganizationsController {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly memberships: MembershipRepository,
  ) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'Organizations of a user, newest organization first',
    response: [OperatorUserOrganizationDto],
    errors: ['validation_failed', 'user_not_found'],
  })
  async list(
    @Param('id') userId: string,
    @Query() { limit, cursor }: PageQuery,
  ): Promise<Page<OperatorUserOrganizationDto>> {
    const before = decodeCursor(cursor);
    const { reader } = this.database;
    const user = isUuid(userId) ? await this.users.findById(reader, userId) : null;
    if (user === null) throw new ServiceError('user_not_found');
    const found = await this.memberships.listForOperator(reader, user.id, limit + 1, before);
    return pageOf(found, limit, ({ id }) => id).map(toDto);
  }
}
