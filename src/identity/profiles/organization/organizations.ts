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
}

/**
 * Invitations, as their page needs them. The module that keeps invitations provides and exports this; where
 * nobody does, the page knows no invitation.
 */
export abstract class InvitationEntry {
  /** Changes nothing. Null for a token that accepts nothing (any more). */
  abstract describe(token: string): Promise<InvitationDescription | null>;

  /**
   * Accepts for whoever knows the password of the account that the address has, or makes it with this one.
   * @throws invalid_token, invalid_credentials, validation_failed, role_deleted, invitation_void, overloaded
   */
  abstract acceptWithPassword(token: string, password: string, origin: Origin): Promise<unknown>;
}

/**
 * What the organizations of a user have to say and do when the account goes. The module that keeps them
 * provides this; identity only asks.
 */
export abstract class OrganizationDeparture {
  /**
   * Takes the user out of every organization, and keeps them from joining one until `tx` ends. Locks
   * organizations and then the user's row.
   * @throws last_owner where one would be left without an owner who can sign in
   */
  abstract leaveAll(tx: Tx, userId: string, origin: Origin): Promise<void>;
}

/**
 * The organizations of a user, which identity shows in the profile but does not keep. The module that
 * keeps them provides this; identity only asks.
 */
export abstract class UserOrganizations {
  abstract ofUser(userId: string): Promise<UserOrganizationDto[]>;
}
