import { EnumField, JsonField } from '../../../http/index.js';
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

  @PasswordField({ optional: true })
  password?: string;

  @JsonField('storable', { optional: true, example: { name: 'Ada' }, description: 'Any JSON object.' })
  metadata?: RawJson;

  @LocaleField()
  locale?: string | null;

  @EnumField(MAILS, {
    optional: true,
    description: 'Sent to the new user. A recovery sets the first password.',
  })
  mail?: (typeof MAILS)[number];

  @RedirectToField()
  redirect_to?: string;
}

export class SendUserMailBody {
  @EnumField(MAILS)
  kind!: (typeof MAILS)[number];

  @RedirectToField()
  redirect_to?: string;
}
