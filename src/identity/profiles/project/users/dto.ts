import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { Omittable } from '../../../../http/index.js';
import type { ManagedMail } from '../../../operator/index.js';
import { PasswordField } from '../../../passwords/password-field.js';
import { EmailField } from '../../../users/email-address.js';

/** Projects send no verification mails: a magic link or a recovery proves the address. */
const MAILS = ['magic_link', 'recovery'] as const satisfies readonly ManagedMail[];

export class CreateProjectUserBody {
  @EmailField()
  email!: string;

  @Omittable()
  @PasswordField({ required: false })
  password?: string;

  @ApiPropertyOptional({ enum: MAILS, description: 'Sent to the new user.' })
  @Omittable()
  @IsIn(MAILS, { message: `must be ${MAILS.join(' or ')}` })
  mail?: (typeof MAILS)[number];
}

export class SendProjectUserMailBody {
  @ApiProperty({ enum: MAILS })
  @IsIn(MAILS, { message: `must be ${MAILS.join(' or ')}` })
  kind!: (typeof MAILS)[number];
}
