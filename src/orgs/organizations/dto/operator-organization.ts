import { ApiProperty } from '@nestjs/swagger';
import { EmailField } from '../../../identity/index.js';
import { PageQuery, ServiceError, TextField, UuidField } from '../../../http/index.js';
import type { OwnerReference } from '../organization-creation.js';
import {
  CreateOrganizationBody,
  OrganizationDto,
  toOrganizationDto,
} from '../../directory/dto/organization.js';

export class OperatorOrganizationQuery extends PageQuery {
  @TextField(1, 254, {
    optional: true,
    description:
      'How words of the slug and of the name begin: `nor tra` finds "Northwind Traders". Single Latin letters and digits are ignored; alone, they find nothing.',
    example: 'northwind',
  })
  search?: string;
}

export class OperatorOrganizationDto extends OrganizationDto {
  @ApiProperty({ type: 'integer', description: 'How many members it has.' })
  members!: number;
}

export function toOperatorOrganizationDto(
  organization: Parameters<typeof toOrganizationDto>[0] & { members: number },
): OperatorOrganizationDto {
  return { ...toOrganizationDto(organization), members: organization.members };
}

export class CreateOwnedOrganizationBody extends CreateOrganizationBody {
  @UuidField({ optional: true, description: 'The account that owns it, by its id …' })
  owner_id?: string;

  @EmailField({ optional: true, description: '… or by its address, which has to be verified.' })
  owner_email?: string;
}

/** @throws validation_failed unless the body names the owner in one way */
export function ownerOf({ owner_id: id, owner_email: email }: CreateOwnedOrganizationBody): OwnerReference {
  if (id !== undefined && email === undefined) return { id: id.toLowerCase() };
  if (email !== undefined && id === undefined) return { email };
  throw new ServiceError('validation_failed', {
    details: [{ path: 'owner_id', message: 'is needed, or else owner_email, and not both' }],
  });
}
