import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsObject, IsString, Length } from 'class-validator';
import { LANGUAGES } from '../../platform/languages/index.js';
import type { Language } from '../../platform/languages/index.js';
import { NestedDto, Omittable, ServiceError } from '../../http/index.js';
import { BrandBody, toBrand } from '../brand/index.js';
import { EmailField } from '../users/email-address.js';
import type { MailPreview, PreviewRequest } from './mail-previews.js';
import type { TemplateInUse, TemplateListing } from './mail-templates.js';
import type { TemplateName } from './template-set.js';

const MAX_SUBJECT = 255;
const MAX_PART = 65_536;
const NOT_A_LANGUAGE = `must be one of ${LANGUAGES.join(', ')}`;

const SUBJECT = {
  type: String,
  minLength: 1,
  maxLength: MAX_SUBJECT,
  example: 'Sign in to {{brand}}',
} as const;
const HTML = {
  type: String,
  minLength: 1,
  maxLength: MAX_PART,
  example: '<p><a href="{{link}}">Sign in</a></p>',
} as const;
const TEXT = { type: String, minLength: 1, maxLength: MAX_PART, example: 'Sign in: {{link}}' } as const;

export class TemplateBody {
  @ApiProperty(SUBJECT)
  @IsString({ message: 'must be text' })
  @Length(1, MAX_SUBJECT, { message: `must have 1 to ${MAX_SUBJECT} characters` })
  subject!: string;

  @ApiProperty(HTML)
  @IsString({ message: 'must be text' })
  @Length(1, MAX_PART, { message: `must have 1 to ${MAX_PART} characters` })
  html!: string;

  @ApiProperty(TEXT)
  @IsString({ message: 'must be text' })
  @Length(1, MAX_PART, { message: `must have 1 to ${MAX_PART} characters` })
  text!: string;
}

export class TemplateQuery {
  @ApiPropertyOptional({
    enum: LANGUAGES,
    description: 'The language of the template; without it, the template for languages without their own.',
  })
  @Omittable()
  @IsIn(LANGUAGES, { message: NOT_A_LANGUAGE })
  locale?: Language;
}

export class TemplateDto extends TemplateBody {
  @ApiProperty({ type: String, example: 'recovery' })
  name!: string;

  @ApiProperty({ type: Boolean, description: 'Whether it is the one that the service brings.' })
  builtin!: boolean;
}

export class TemplateListingDto {
  @ApiProperty({ type: String, example: 'recovery' })
  name!: string;

  @ApiProperty({ type: [String], description: 'What the template can contain.', example: ['link', 'email'] })
  variables!: string[];

  @ApiProperty({
    type: [String],
    description: 'Languages that have a template of their own in place of the built-in one.',
    example: ['de'],
  })
  own_locales!: string[];

  @ApiProperty({
    type: Boolean,
    description: 'Whether the languages without their own have another template than the built-in one.',
  })
  builtin!: boolean;
}

export class PreviewBody {
  @ApiPropertyOptional({ enum: LANGUAGES, description: 'Without it, `identity.default_locale`.' })
  @Omittable()
  @IsIn(LANGUAGES, { message: NOT_A_LANGUAGE })
  locale?: Language;

  @ApiPropertyOptional({
    ...SUBJECT,
    description: 'With `html` and `text`: a template to show in place of the one in use.',
  })
  @Omittable()
  @IsString({ message: 'must be text' })
  @Length(1, MAX_SUBJECT, { message: `must have 1 to ${MAX_SUBJECT} characters` })
  subject?: string;

  @ApiPropertyOptional(HTML)
  @Omittable()
  @IsString({ message: 'must be text' })
  @Length(1, MAX_PART, { message: `must have 1 to ${MAX_PART} characters` })
  html?: string;

  @ApiPropertyOptional(TEXT)
  @Omittable()
  @IsString({ message: 'must be text' })
  @Length(1, MAX_PART, { message: `must have 1 to ${MAX_PART} characters` })
  text?: string;

  @ApiPropertyOptional({ type: BrandBody, description: 'A look to show in place of the one in use.' })
  @Omittable()
  @IsObject({ message: 'must be an object' })
  @NestedDto(() => BrandBody)
  brand?: BrandBody;
}

export class MailTestBody {
  @EmailField()
  to!: string;
}

export class PreviewDto extends TemplateBody {
  @ApiProperty({ enum: LANGUAGES })
  locale!: Language;
}

/** @throws validation_failed for a template without all of its parts */
export function toPreviewRequest(
  name: TemplateName,
  { locale, subject, html, text, brand }: PreviewBody,
): PreviewRequest {
  const parts = { subject, html, text };
  const missing = Object.entries(parts).filter(([, part]) => part === undefined);
  if (missing.length > 0 && missing.length < 3)
    throw new ServiceError('validation_failed', {
      details: missing.map(([path]) => ({ path, message: 'is required with the other parts of a template' })),
    });
  const isWhole = subject !== undefined && html !== undefined && text !== undefined;
  return {
    name,
    language: locale ?? null,
    source: isWhole ? { subject, html, text } : null,
    brand: brand === undefined ? null : toBrand(brand),
  };
}

export function toPreviewDto({ language, subject, html, text }: MailPreview): PreviewDto {
  return { locale: language, subject, html, text };
}

export function toTemplateDto({ name, subject, html, text, isBuiltIn }: TemplateInUse): TemplateDto {
  return { name, subject, html, text, builtin: isBuiltIn };
}

export function toTemplateListingDto({ name, variables, replacedIn }: TemplateListing): TemplateListingDto {
  return {
    name,
    variables: [...variables],
    own_locales: replacedIn.filter((language) => language !== null),
    builtin: !replacedIn.includes(null),
  };
}

/** What the operations on a template say of it. */
export const TEMPLATE_VARIABLES_DOC =
  'The list shows the variables of each template. `{{#if variable}}` and `{{#unless variable}}` take `{{else}}`. `html` ' +
  'and `text` must contain the link, except in `notice`. Values are escaped in `html`.';
