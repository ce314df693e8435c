import { EnumField, FormField, IntField, TextField } from '../../../../http/index.js';
import type { TextForm } from '../../../../http/index.js';
import type { MailServer } from '../../../../platform/mail/index.js';
import { normalSender } from '../../../../platform/mailbox/index.js';
import type { MailSettingsRow } from './mail-settings.js';

const TLS = ['starttls', 'tls', 'none'] as const;
const HOST = /^[A-Za-z0-9._:-]+$/;

/** The sender of mails, in its one spelling. */
const SENDER: TextForm = {
  max: 320,
  schema: { minLength: 3, maxLength: 320 },
  read: (text) => normalSender(text).address,
  problemOf: (value) => (typeof value === 'string' && normalSender(value).problem) || 'must be text',
};

export class MailSettingsFields {
  @TextField(1, 253, {
    pattern: HOST,
    mismatch: 'must be a host name or address without scheme or port',
    example: 'smtp.example.com',
  })
  host!: string;

  @IntField(1, 65_535, { example: 587 })
  port!: number;

  @TextField(1, 320, {
    neededWith: 'password',
    example: 'acme',
    description: 'To sign in with; needs a password.',
  })
  user?: string;

  @FormField(SENDER, {
    example: 'Acme <hello@acme.example>',
    description: 'Sender of every mail: an address, or a name and an address.',
  })
  from!: string;

  @EnumField(TLS, { description: 'Encryption: demanded after connecting, from the first byte, or none.' })
  tls!: MailServer['tls'];
}

export class PutMailSettingsBody extends MailSettingsFields {
  @TextField(1, 1024, { neededWith: 'user', writeOnly: true, description: 'Never shown again.' })
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
