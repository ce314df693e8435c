import { ApiProperty } from '@nestjs/swagger';
import { brandColor, httpsUrl, MAX_BRAND_URL, supportUrl } from '../../platform/brand/index.js';
import { FormField, nameProblem } from '../../http/index.js';
import type { TextForm } from '../../http/index.js';
import type { FieldOptions } from '../../http/index.js';
import type { Brand } from './brands.js';

/** One value of a brand, or null for none. */
function BrandField(
  { max, format, ...form }: Omit<TextForm, 'schema'> & { readonly format?: string },
  options: FieldOptions,
): PropertyDecorator {
  const schema = { minLength: 1, maxLength: max, ...(format === undefined ? {} : { format }) };
  return FormField({ ...form, max, schema }, { optional: true, nullable: true, ...options });
}

/** The look of mails and pages. */
export class BrandBody {
  @BrandField(
    {
      max: 80,
      read: (text) => (nameProblem(text) === null ? text : null),
      problemOf: (value) => nameProblem(value) ?? 'must be text',
    },
    { example: 'Acme', description: 'Name of the product, as users know it.' },
  )
  name?: string | null;

  @BrandField(
    {
      max: MAX_BRAND_URL,
      format: 'uri',
      read: httpsUrl,
      problemOf: () => 'must be an https:// URL with a host name and without a user',
    },
    {
      example: 'https://www.example.com/logo.png',
      description: 'Image that mail programs and browsers load; shown 40 px high.',
    },
  )
  logo_url?: string | null;

  @BrandField(
    { max: 7, read: brandColor, problemOf: () => 'must be a colour such as #0842a0' },
    {
      example: '#0842a0',
      description:
        'Colour of buttons. Text on it is black or white, and links take a shade of it that can be read.',
    },
  )
  color?: string | null;

  @BrandField(
    {
      max: MAX_BRAND_URL,
      read: supportUrl,
      problemOf: () => 'must be an https:// URL, or mailto: with an e-mail address',
    },
    { example: 'https://www.example.com/help', description: 'Where users find help.' },
  )
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
