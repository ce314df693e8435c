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

/**
 * How a realm sends mails with a token: through which server, with which texts, with links to which pages. The active
 * profile provides it.
 */
export abstract class AccountMails {
  /** Whether the realm sends mails of this purpose, and has a mail server to send them. */
  abstract canSend(realmId: RealmId, purpose: TokenPurpose): Promise<boolean>;

  /** Passes the mail to the mail server now. @throws MailFailedError */
  abstract send(realmId: RealmId, mail: AccountMail, handover: Handover): Promise<void>;
}

/**
 * The link to a page with its token.
 * @param baseUrl from `PublicUrl`, never from a request
 * @param page the path after `/auth/v1/pages/`
 */
export function mailLink(baseUrl: string, page: string, token: string): string {
  return `${baseUrl}/auth/v1/pages/${page}?token=${encodeURIComponent(token)}`;
}
