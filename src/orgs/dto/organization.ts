import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length, Matches, ValidateBy } from 'class-validator';
import { isUuid } from '../../platform/crypto/index.js';

const SLUG = /^[a-z0-9](?:-?[a-z0-9])*$/;

export class CreateOrganizationBody {
  @ApiProperty({ type: String, pattern: SLUG.source, minLength: 1, maxLength: 63, example: 'acme' })
  @IsString({ message: 'must be text' })
  @Length(1, 63, { message: 'must have 1 to 63 characters' })
  @Matches(SLUG, { message: 'must be lower-case letters and digits, with single hyphens between them' })
  @ValidateBy({
    name: 'notUuid',
    // A reference of UUID form always means an id; such a slug could never be reached.
    validator: {
      validate: (value) => typeof value === 'string' && !isUuid(value),
      defaultMessage: () => 'must not have the form of a UUID',
    },
  })
  slug!: string;

  @ApiProperty({ type: String, minLength: 1, maxLength: 200, example: 'Acme Inc.' })
  @IsString({ message: 'must be text' })
  @Length(1, 200, { message: 'must have 1 to 200 characters' })
  @Matches(/\S/, { message: 'must not be blank' })
  name!: string;
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
