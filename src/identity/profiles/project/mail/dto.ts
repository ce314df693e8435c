import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  registerDecorator,
  ValidateIf,
} from 'class-validator';
import type { MailServer } from '../../../../platform/mail/index.js';
import { normalSender } from '../../../../platform/mailbox/index.js';
import type { MailSettingsRow } from './mail-settings.js';

const TLS = ['starttls', 'tls', 'none'] as const;
const HOST = /^[A-Za-z0-9._:-]+$/;

/** Holds a sender in its one spelling. */
function Sender(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (normalSender(value).address ?? value) : value,
    ),
    (target: object, property: string | symbol) => {
      registerDecorator({
        name: 'sender',
        target: target.constructor,
        propertyName: String(property),
        validator: {
          validate: (value: unknown) => typeof value === 'string' && normalSender(value).problem === null,
          defaultMessage: (args) =>
            (typeof args?.value === 'string' && normalSender(args.value).problem) || 'must be text',
        },
      });
    },
  );
}

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
    example: 'Acme <hello@acme.example>',
    description: 'Sender of every mail: an address, or a name and an address.',
  })
  @IsString({ message: 'must be text' })
  @Length(3, 320, { message: 'must have 3 to 320 characters' })
  @Sender()
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
