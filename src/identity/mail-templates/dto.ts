import { ApiProperty } from '@nestjs/swagger';
import { LANGUAGES } from '../../platform/languages/index.js';
import type { Language } from '../../platform/languages/index.js';
import { DtoField, EnumField, ServiceError, TextField } from '../../http/index.js';
import { BrandBody, toBrand } from '../brand/index.js';
import { EmailField } from '../users/email-address.js';
import type { MailPreview, PreviewRequest } from './mail-previews.js';
import type { TemplateInUse, TemplateListing } from './mail-templates.js';
import type { TemplateName } from './template-set.js';

const MAX_SUBJECT = 255;
const MAX_PART = 65_536;

const SUBJECT = { example: 'Sign in to {{brand}}' };
const HTML = { example: '<p><a href="{{link}}">Sign in</a></p>' };
const TEXT = { example: 'Sign in: {{link}}' };

export class TemplateBody {
  @TextField(1, MAX_SUBJECT, SUBJECT)
  subject!: string;

  @TextField(1, MAX_PART, HTML)
  html!: string;

  @TextField(1, MAX_PART, TEXT)
  text!: string;
}

export class TemplateQuery {
  @EnumField(LANGUAGES, {
    optional: true,
    description: 'The language of the template; without it, the template for languages without their own.',
  })
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
  @EnumField(LANGUAGES, { optional: true, description: 'Without it, `identity.default_locale`.' })
  locale?: Language;

  @TextField(1, MAX_SUBJECT, {
    optional: true,
    ...SUBJECT,
    description: 'With `html` and `text`: a template to show in place of the one in use.',
  })
  subject?: string;

  @TextField(1, MAX_PART, { ...HTML, optional: true })
  html?: string;

  @TextField(1, MAX_PART, { ...TEXT, optional: true })
  text?: string;

  @DtoField(BrandBody, { optional: true, description: 'A look to show in place of the one in use.' })
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
