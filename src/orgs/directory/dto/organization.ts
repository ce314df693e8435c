import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { isUuid } from '../../../platform/crypto/index.js';
import { BooleanField, NameField, Rule, TextField } from '../../../http/index.js';
import type { FieldOptions } from '../../../http/index.js';

const SLUG = /^[a-z0-9](?:-?[a-z0-9])*$/;

export function SlugField(options: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    TextField(1, 63, {
      pattern: SLUG,
      mismatch: 'must be lower-case letters and digits, with single hyphens between them',
      example: 'acme',
      ...options,
    }),
    // A reference in the form of a UUID is always an id; such a slug could never be found.
    Rule((value) => (typeof value === 'string' && isUuid(value) ? 'must not have the form of a UUID' : null)),
  );
}

export class CreateOrganizationBody {
  @SlugField()
  slug!: string;

  @NameField()
  name!: string;
}

export class UpdateOrganizationBody {
  @SlugField({ optional: true })
  slug?: string;

  @NameField({ optional: true })
  name?: string;

  @BooleanField({
    optional: true,
    description:
      'Whether members whose account has no second factor are refused here. Only who has one may turn it on.',
  })
  require_second_factor?: boolean;
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

  @ApiProperty({ type: Boolean, description: 'Whether members need a second factor.' })
  require_second_factor!: boolean;
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
  requireSecondFactor: boolean;
}): OrganizationDto {
  const { id, slug, name, createdAt, requireSecondFactor } = organization;
  return {
    id,
    slug,
    name,
    created_at: createdAt.toISOString(),
    require_second_factor: requireSecondFactor,
  };
}
