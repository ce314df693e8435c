import { ServiceError } from '../../../../platform/http/index.js';
import { MailFailedError } from '../../../../platform/mail/index.js';

const REASONS: Readonly<Record<string, string>> = {
  EAUTH: 'it refused the user name or the password',
  ECONNECTION: 'there is no connection to it',
  EDNS: 'its name leads nowhere',
  ESOCKET: 'there is no connection to it',
  ETIMEDOUT: 'it did not answer in time',
  ETLS: 'it does not offer the encryption that the settings demand',
  timeout: 'it did not answer in time',
  'host not allowed': 'projects may not name mail servers at its address',
};

/** Says why a mail did not go out, in the server's own words where it had some. @throws mail_failed, or what is no such failure */
export function mailRefusal(error: unknown): never {
  if (!(error instanceof MailFailedError)) throw error;
  const { answer, reason } = error;
  const why = answer === null ? (REASONS[reason] ?? reason) : `it answered "${answer}"`;
  throw new ServiceError('mail_failed', { message: `The mail server did not take the message: ${why}.` });
}
