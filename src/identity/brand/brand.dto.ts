import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional, ValidateBy } from 'class-validator';
import { brandColor, httpsUrl, MAX_BRAND_URL, supportUrl } from '../../platform/brand/index.js';
import { nameProblem, TextBound } from '../../http/index.js';
import type { Brand } from './brands.js';

interface BrandValue {
  readonly maxLength: number;
  readonly example: string;
  readonly description: string;
  readonly format?: string;
  /** The value as it is kept; null for text that is none. */
  readonly read: (text: string) => string | null;
  readonly problem: (value: unknown) => string;
}

/** A field that takes one value of a brand, or null for none. */
function BrandField({ read, problem, ...documented }: BrandValue): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: String, nullable: true, required: false, minLength: 1, ...documented }),
    TextBound(documented.maxLength),
    IsOptional(),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (read(value) ?? value) : value,
    ),
    ValidateBy({
      name: 'isBrandValue',
      validator: {
        validate: (value) => typeof value === 'string' && read(value) !== null,
        defaultMessage: (failure) => problem(failure?.value),
      },
    }),
  );
}

/** The look of mails and pages. */
export class BrandBody {
  @BrandField({
    maxLength: 80,
    example: 'Acme',
    description: 'Name of the product, as users know it.',
    read: (text) => (nameProblem(text) === null ? text : null),
    problem: (value) => nameProblem(value) ?? 'must be text',
  })
  name?: string | null;

  @BrandField({
    maxLength: MAX_BRAND_URL,
    format: 'uri',
    example: 'https://www.example.com/logo.png',
    description: 'Image that mail programs and browsers load; shown 40 px high.',
    read: httpsUrl,
    problem: () => 'must be an https:// URL with a host name and without a user',
  })
  logo_url?: string | null;

  @BrandField({
    maxLength: 7,
    example: '#0842a0',
    description:
      'Colour of buttons. Text on it is black or white, and links take a shade of it that can be read.',
    read: brandColor,
    problem: () => 'must be a colour such as #0842a0',
  })
  color?: string | null;

  @BrandField({
    maxLength: MAX_BRAND_URL,
    example: 'https://www.example.com/help',
    description: 'Where users find help.',
    read: supportUrl,
    problem: () => 'must be an https:// URL, or mailto: with an e-mail address',
  })
  support_url?: string | null;
}

export class BrandDto {
  @ApiProperty({ type: String, nullable: true, example: 'Acme' })
  name!: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'https://www.example.com/logo.png' })
  logo_url!: string | null;

  @ApiProperty({ type: String, nullable: true, example: '#0842a0' })
  color!: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'https://www.example.com/help' })
  support_url!: string | null;
}

export function toBrand({ name, logo_url: logoUrl, color, support_url: supportUrl }: BrandBody): Brand {
  return {
    name: name ?? null,
    logoUrl: logoUrl ?? null,
    color: color ?? null,
    supportUrl: supportUrl ?? null,
  };
}

export function toBrandDto({ name, logoUrl, color, supportUrl }: Brand): BrandDto {
  return { name, logo_url: logoUrl, color, support_url: supportUrl };
}
