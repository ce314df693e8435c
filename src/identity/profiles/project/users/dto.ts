import { EnumField } from '../../../../http/index.js';
import type { ManagedMail } from '../../../managed-accounts/index.js';
import { LocaleField } from '../../../languages/index.js';
import { PasswordField } from '../../../passwords/password-field.js';
import { RedirectToField } from '../../../redirects/redirect-fields.js';
import { EmailField } from '../../../users/email-address.js';

/** Projects send no verification mails: a magic link or a recovery proves the address. */
const MAILS = ['magic_link', 'recovery'] as const satisfies readonly ManagedMail[];

export class CreateProjectUserBody {
  @EmailField()
  email!: string;

  @PasswordField({ optional: true })
  password?: string;

  @LocaleField()
  locale?: string | null;

  @EnumField(MAILS, { optional: true, description: 'Sent to the new user.' })
  mail?: (typeof MAILS)[number];

  @RedirectToField()
  redirect_to?: string;
}

export class SendProjectUserMailBody {
  @EnumField(MAILS)
  kind!: (typeof MAILS)[number];

  @RedirectToField()
  redirect_to?: string;
}
