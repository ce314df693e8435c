import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length, Matches, ValidateBy } from 'class-validator';
import { isUuid } from '../../../platform/crypto/index.js';

const SLUG = /^[a-z0-9](?:-?[a-z0-9])*$/;

/** A DTO field that takes a slug. @param required whether OpenAPI says that it must be there */
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
      // A reference of UUID form always means an id; such a slug could never be reached.
      validator: {
        validate: (value) => typeof value === 'string' && !isUuid(value),
        defaultMessage: () => 'must not have the form of a UUID',
      },
    }),
  );
}
