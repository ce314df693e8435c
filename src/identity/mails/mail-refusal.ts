import { ServiceError } from '../../http/index.js';
import { answerWithoutSecrets } from './server-answer.js';
import { MailFailedError } from '../../platform/mail/index.js';

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

/**
 * Refuses with the reason why a mail was not sent, in the server's own words if it gave any. @throws mail_failed, or
 * any other error unchanged
 */
export function mailRefusal(error: unknown): never {
  if (!(error instanceof MailFailedError)) throw error;
  const { reason } = error;
  const answer = answerWithoutSecrets(error.answer, null);
  const why = answer === null ? (REASONS[reason] ?? reason) : `it answered "${answer}"`;
  throw new ServiceError('mail_failed', { message: `The mail server did not take the message: ${why}.` });
}
