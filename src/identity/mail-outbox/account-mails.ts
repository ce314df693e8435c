import type { Handover } from '../../platform/mail/index.js';
import type { TokenPurpose } from '../one-time-tokens/one-time-tokens.js';
import type { RealmId } from '../users/user.repository.js';

/** A mail with a one-time token, for the holder of an account. */
export interface AccountMail {
  readonly purpose: TokenPurpose;
  readonly to: string;
  readonly token: string;
  /** Where links lead: from `PublicUrl`, never from a request. */
  readonly baseUrl: string;
}

/** Changes that somebody else made in an account, of which its user is notified. */
export type Notice = 'password_set' | 'password_removed';

/** What the notices say. */
export const NOTICES: Readonly<Record<Notice, { readonly subject: string; readonly message: string }>> = {
  password_set: {
    subject: 'Your password was changed',
    message: 'An administrator set a new password for your account and ended all of its sessions.',
  },
  password_removed: {
    subject: 'Your password was removed',
    message:
      'An administrator removed the password of your account and ended all of its sessions. To sign in again, recover the account.',
  },
};

/**
 * How a realm sends mails with a token: through which server, with which texts, with links to which pages. The active
 * profile provides it.
 */
export abstract class AccountMails {
  /** Whether the realm sends mails of this purpose, and has a mail server to send them. */
  abstract canSend(realmId: RealmId, purpose: TokenPurpose): Promise<boolean>;

  /** Passes the mail to the mail server now. @throws MailFailedError */
  abstract send(realmId: RealmId, mail: AccountMail, handover: Handover): Promise<void>;

  /** Whether the realm has a mail server for notices. */
  abstract canNotify(realmId: RealmId): Promise<boolean>;

  /** Passes a notice to the mail server now. @throws MailFailedError */
  abstract notify(realmId: RealmId, to: string, notice: Notice, handover: Handover): Promise<void>;
}

/**
 * The link to a page with its token.
 * @param baseUrl from `PublicUrl`, never from a request
 * @param page the path after `/auth/v1/pages/`
 */
export function mailLink(baseUrl: string, page: string, token: string): string {
  return `${baseUrl}/auth/v1/pages/${page}?token=${encodeURIComponent(token)}`;
}
