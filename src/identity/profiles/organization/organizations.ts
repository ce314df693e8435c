import type { Tx } from '../../../platform/database/index.js';
import type { Origin } from '../../../http/index.js';
import type { UserOrganizationDto } from './dto/user.js';

/** What a pending invitation offers, and what accepting it takes. */
export interface InvitationDescription {
  /** Name of the organization. */
  readonly orgName: string;
  readonly email: string;
  readonly role: string;
  /** `password`: the address has no account yet, and accepting makes one; `sign_in`: it has one. */
  readonly needs: 'password' | 'sign_in';
  /** Where its page ends; null where the page itself is the end. */
  readonly redirectTo: string | null;
  /** The language of the account, where there is one. */
  readonly locale: string | null;
}

/** What the page of an invitation does with its token. The module `orgs` provides it. */
export abstract class InvitationTokens {
  /** Changes nothing. Null for a token that is not valid. */
  abstract describe(token: string): Promise<InvitationDescription | null>;

  /**
   * Accepts with the password of the invited address's account, or creates the account with it. `location` is where the
   * page leads then.
   * @throws invalid_token, invalid_credentials, validation_failed, role_deleted, invitation_void, overloaded
   */
  abstract acceptWithPassword(
    token: string,
    password: string,
    origin: Origin,
  ): Promise<{ readonly location: string | null }>;
}

/** Removes users from their organizations when their accounts are deleted. The module `orgs` provides it. */
export abstract class MembershipRemoval {
  /**
   * Removes the user from every organization, and prevents them from joining one until `tx` ends. Locks the
   * organizations and then the user's row.
   * @throws last_owner where one would be left without an owner who can sign in
   */
  abstract removeFromAll(tx: Tx, userId: string, origin: Origin): Promise<void>;
}

/** The organizations of a user, for the user's profile. The module `orgs` provides it. */
export abstract class UserOrganizations {
  abstract ofUser(userId: string): Promise<UserOrganizationDto[]>;
}
