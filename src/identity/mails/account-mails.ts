import type { Language } from '../../platform/languages/index.js';
import type { DeliveryAttempt } from '../../platform/mail/index.js';
import { Messages } from '../languages/index.js';
import type { Letter } from '../mail-templates/index.js';
import type { TokenPurpose } from '../one-time-tokens/one-time-tokens.js';
import type { RealmId } from '../users/user.repository.js';

/** What the link of a mail is for. */
export type MailPurpose = TokenPurpose | 'change_email';

/** A mail with a one-time token, for the holder of an account. */
export interface AccountMail {
  readonly purpose: MailPurpose;
  readonly to: string;
  readonly token: string;
  /** Where links lead: from `PublicUrl`, never from a request. */
  readonly baseUrl: string;
  readonly language: Language;
}

/** Changes in an account of which its user is notified. */
export type Notice =
  | 'password_set'
  | 'password_removed'
  | 'factor_added'
  | 'factor_removed'
  | 'factors_reset'
  | 'email_change_requested'
  | 'email_changed';

const NOTICES: ReadonlySet<string> = new Set<Notice>([
  'password_set',
  'password_removed',
  'factor_added',
  'factor_removed',
  'factors_reset',
  'email_change_requested',
  'email_changed',
]);

export function isNotice(kind: string): kind is Notice {
  return NOTICES.has(kind);
}

/** A mail that tells what was changed, and has no link. */
export interface AccountNotice {
  readonly notice: Notice;
  readonly to: string;
  readonly language: Language;
}

/** The letter of a notice. */
export function noticeLetter({ notice, to, language }: AccountNotice): Letter {
  const messages = Messages.in(language);
  const title = messages.text(`notice.${notice}.title`);
  const message = messages.text(`notice.${notice}.message`);
  return { name: 'notice', language, values: { title, message, email: to } };
}

/**
 * How a realm sends mails with a token: through which server, with which texts, with links to which pages. The active
 * profile provides it.
 */
export abstract class AccountMails {
  /** Whether the realm sends mails of this purpose, and has a mail server to send them. */
  abstract canSend(realmId: RealmId, purpose: MailPurpose): Promise<boolean>;

  /** Passes the mail to the mail server now. @returns what the server answered @throws MailFailedError */
  abstract send(realmId: RealmId, mail: AccountMail, attempt: DeliveryAttempt): Promise<string | null>;

  /** Whether the realm has a mail server for notices. */
  abstract canNotify(realmId: RealmId): Promise<boolean>;

  /** The same with a notice. @throws MailFailedError */
  abstract notify(realmId: RealmId, notice: AccountNotice, attempt: DeliveryAttempt): Promise<string | null>;
}

/**
 * The link to a page with its token.
 * @param baseUrl from `PublicUrl`, never from a request
 * @param page the path after `/auth/v1/pages/`
 */
export function mailLink(baseUrl: string, page: string, token: string): string {
  return `${baseUrl}/auth/v1/pages/${page}?token=${encodeURIComponent(token)}`;
}
