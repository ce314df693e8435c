import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsString, Length, Matches, ValidateBy, ValidateIf } from 'class-validator';
import { isUuid } from '../../../platform/crypto/index.js';
import { NameField, Omittable } from '../../../http/index.js';

const SLUG = /^[a-z0-9](?:-?[a-z0-9])*$/;

/** A DTO field that takes a slug. @param required for the OpenAPI document */
export function SlugField(required = true): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: String,
      pattern: SLUG.source,
      minLength: 1,
      maxLength: 63,
      example: 'acme',
      required,
    }),
    IsString({ message: 'must be text' }),
    Length(1, 63, { message: 'must have 1 to 63 characters' }),
    Matches(SLUG, { message: 'must be lower-case letters and digits, with single hyphens between them' }),
    ValidateBy({
      name: 'notUuid',
      // A reference in the form of a UUID is always an id; such a slug could never be found.
      validator: {
        validate: (value) => typeof value === 'string' && !isUuid(value),
        defaultMessage: () => 'must not have the form of a UUID',
      },
    }),
  );
}

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

  @ApiPropertyOptional({
    type: Boolean,
    description:
      'Whether members whose account has no second factor are refused here. Only who has one may turn it on.',
  })
  @Omittable()
  @IsBoolean({ message: 'must be true or false' })
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
