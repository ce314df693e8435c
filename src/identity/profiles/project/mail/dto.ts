import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, Length, Matches, Max, Min, ValidateIf } from 'class-validator';
import type { MailServer } from '../../../../platform/mail/index.js';
import { EmailField } from '../../../users/email-address.js';
import { TEMPLATE_NAMES } from './built-in-templates.js';
import type { MailSettingsRow } from './mail-settings.js';
import type { TemplateInUse } from './templates.js';

const TLS = ['starttls', 'tls', 'none'] as const;
const MAX_PART = 65_536;
const HOST = /^[A-Za-z0-9._:-]+$/;
const SENDER = /^([^\s@<>"]+@[^\s@<>"]+|[^<>\p{Cc}]+ <[^\s@<>"]+@[^\s@<>"]+>)$/u;

/** A mail server requires both or neither. */
function Beside(other: string): PropertyDecorator {
  return ValidateIf(
    (dto: Record<string, unknown>, value: unknown) => value !== undefined || dto[other] !== undefined,
  );
}

export class MailSettingsFields {
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: 253,
    pattern: HOST.source,
    example: 'smtp.example.com',
  })
  @IsString({ message: 'must be text' })
  @Length(1, 253, { message: 'must have 1 to 253 characters' })
  @Matches(HOST, { message: 'must be a host name or address without scheme or port' })
  host!: string;

  @ApiProperty({ type: 'integer', example: 587, minimum: 1, maximum: 65_535 })
  @IsInt({ message: 'must be a whole number' })
  @Min(1, { message: 'must be at least 1' })
  @Max(65_535, { message: 'must be at most 65535' })
  port!: number;

  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: 320,
    example: 'acme',
    description: 'To sign in with; needs a password.',
  })
  @Beside('password')
  @IsString({ message: 'must be text' })
  @Length(1, 320, { message: 'must have 1 to 320 characters' })
  user?: string;

  @ApiProperty({
    type: String,
    minLength: 3,
    maxLength: 320,
    pattern: SENDER.source,
    example: 'Acme <hello@acme.example>',
    description: 'Sender of every mail.',
  })
  @IsString({ message: 'must be text' })
  @Length(3, 320, { message: 'must have 3 to 320 characters' })
  @Matches(SENDER, { message: 'must be an address, or a name and an address: Acme <hello@acme.example>' })
  from!: string;

  @ApiProperty({
    enum: TLS,
    description: 'Encryption: demanded after connecting, from the first byte, or none.',
  })
  @IsIn(TLS, { message: 'must be starttls, tls or none' })
  tls!: MailServer['tls'];
}

export class PutMailSettingsBody extends MailSettingsFields {
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: 1024,
    writeOnly: true,
    description: 'Never shown again.',
  })
  @Beside('user')
  @IsString({ message: 'must be text' })
  @Length(1, 1024, { message: 'must have 1 to 1024 characters' })
  password?: string;
}

export function toMailServer({ host, port, user, password, from, tls }: PutMailSettingsBody): MailServer {
  return { host, port, user: user ?? null, password: password ?? null, from, tls };
}

export function toMailSettingsDto({
  host,
  port,
  user,
  from,
  tls,
}: MailServer | MailSettingsRow): MailSettingsFields {
  return { host, port, ...(user === null ? {} : { user }), from, tls };
}

export class MailTestBody {
  @EmailField()
  to!: string;
}

export class TemplateBody {
  @ApiProperty({ type: String, minLength: 1, example: 'Sign in to {{project}}', maxLength: 255 })
  @IsString({ message: 'must be text' })
  @Length(1, 255, { message: 'must have 1 to 255 characters' })
  subject!: string;

  @ApiProperty({
    type: String,
    minLength: 1,
    example: '<p><a href="{{link}}">Sign in</a></p>',
    maxLength: MAX_PART,
  })
  @IsString({ message: 'must be text' })
  @Length(1, MAX_PART, { message: `must have 1 to ${MAX_PART} characters` })
  html!: string;

  @ApiProperty({ type: String, minLength: 1, example: 'Sign in: {{link}}', maxLength: MAX_PART })
  @IsString({ message: 'must be text' })
  @Length(1, MAX_PART, { message: `must have 1 to ${MAX_PART} characters` })
  text!: string;
}

export class TemplateDto extends TemplateBody {
  @ApiProperty({ enum: TEMPLATE_NAMES })
  name!: string;

  @ApiProperty({ type: Boolean, description: 'Whether it is the one that the service brings.' })
  builtin!: boolean;
}

export function toTemplateDto({ name, subject, html, text, isBuiltIn }: TemplateInUse): TemplateDto {
  return { name, subject, html, text, builtin: isBuiltIn };
}
