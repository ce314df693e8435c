import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { Omittable } from '../../../../http/index.js';
import type { ManagedMail } from '../../../operator/index.js';
import { LocaleField } from '../../../languages/index.js';
import { PasswordField } from '../../../passwords/password-field.js';
import { RedirectToField } from '../../../redirects/redirect-fields.js';
import { EmailField } from '../../../users/email-address.js';

/** Projects send no verification mails: a magic link or a recovery proves the address. */
const MAILS = ['magic_link', 'recovery'] as const satisfies readonly ManagedMail[];

export class CreateProjectUserBody {
  @EmailField()
  email!: string;

  @Omittable()
  @PasswordField({ required: false })
  password?: string;

  @LocaleField()
  locale?: string | null;

  @ApiPropertyOptional({ enum: MAILS, description: 'Sent to the new user.' })
  @Omittable()
  @IsIn(MAILS, { message: `must be ${MAILS.join(' or ')}` })
  mail?: (typeof MAILS)[number];

  @RedirectToField()
  redirect_to?: string;
}

export class SendProjectUserMailBody {
  @ApiProperty({ enum: MAILS })
  @IsIn(MAILS, { message: `must be ${MAILS.join(' or ')}` })
  kind!: (typeof MAILS)[number];

  @RedirectToField()
  redirect_to?: string;
}
