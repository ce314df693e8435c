import { ApiProperty } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { NameField } from '../../../platform/http/index.js';
import { SlugField } from './organization-fields.js';

export class CreateOrganizationBody {
  @SlugField()
  slug!: string;

  @NameField()
  name!: string;
}

export class UpdateOrganizationBody {
  @ValidateIf((body: UpdateOrganizationBody) => body.slug !== undefined)
  @SlugField(false)
  slug?: string;

  @ValidateIf((body: UpdateOrganizationBody) => body.name !== undefined)
  @NameField({ required: false })
  name?: string;
}

export class OrganizationDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'acme' })
  slug!: string;

  @ApiProperty({ example: 'Acme Inc.' })
  name!: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T12:00:00.000Z' })
  created_at!: string;
}

export class TenantReferenceDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'acme' })
  slug!: string;

  @ApiProperty({ example: 'Acme Inc.' })
  name!: string;
}

export class PermissionsDto {
  @ApiProperty()
  org!: TenantReferenceDto;

  @ApiProperty({ type: String, nullable: true, example: 'owner', description: 'Null for an API key.' })
  role!: string | null;

  @ApiProperty({ type: [String], example: ['*'] })
  permissions!: readonly string[];
}

export function toOrganizationDto(organization: {
  id: string;
  slug: string;
  name: string;
  createdAt: Date;
}): OrganizationDto {
  const { id, slug, name, createdAt } = organization;
  return { id, slug, name, created_at: createdAt.toISOString() };
}
