import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { JsonObject, Omittable } from '../../../http/index.js';
import type { RawJson } from '../../../http/index.js';
import { LocaleField } from '../../languages/index.js';
import { PasswordField } from '../../passwords/password-field.js';
import { RedirectToField } from '../../redirects/redirect-fields.js';
import { EmailField } from '../../users/email-address.js';
import type { ManagedMail } from '../mails/managed-mails.js';

const MAILS = ['verification', 'recovery'] as const satisfies readonly ManagedMail[];

export class SetUserPasswordBody {
  @PasswordField()
  password!: string;
}

export class CreateUserBody {
  @EmailField()
  email!: string;

  @Omittable()
  @PasswordField({ required: false })
  password?: string;

  @ApiPropertyOptional({ type: Object, example: { name: 'Ada' }, description: 'Any JSON object.' })
  @Omittable()
  @JsonObject()
  metadata?: RawJson;

  @LocaleField()
  locale?: string | null;

  @ApiPropertyOptional({
    enum: MAILS,
    description: 'Sent to the new user. A recovery sets the first password.',
  })
  @Omittable()
  @IsIn(MAILS, { message: `must be ${MAILS.join(' or ')}` })
  mail?: (typeof MAILS)[number];

  @RedirectToField()
  redirect_to?: string;
}

export class SendUserMailBody {
  @ApiProperty({ enum: MAILS })
  @IsIn(MAILS, { message: `must be ${MAILS.join(' or ')}` })
  kind!: (typeof MAILS)[number];

  @RedirectToField()
  redirect_to?: string;
}
