import type { Origin } from '../../../platform/http/index.js';

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
