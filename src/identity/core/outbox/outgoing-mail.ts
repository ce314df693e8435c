import type { SealedPlace } from '../../../platform/crypto/index.js';
import type { Origin } from '../../../platform/http/index.js';
import type { RealmId } from '../user.repository.js';

/** A mail that anyone can ask for, for an address that may have an account or not. */
export interface RequestedMail {
  readonly kind: 'recover' | 'magic_link';
  readonly realmId: RealmId;
  readonly email: string;
  readonly origin: Origin;
  /** As `Registration` has it; absent in mails of an earlier release. */
  readonly byProgram?: boolean;
  readonly baseUrl: string;
}

/**
 * A mail that is to go out. It is composed when it is sent, so that a link is fresh however long the mail
 * server was down, and no usable token lies waiting.
 */
export type OutgoingMail =
  { readonly kind: 'verify'; readonly userId: string; readonly baseUrl: string } | RequestedMail;

/** A mail that an instance has taken on. */
export interface ClaimedMail {
  readonly id: string;
  readonly sealed: Buffer;
  /** Which attempt this is, from 1; names the claim as well. */
  readonly attempt: number;
  readonly ageSecs: number;
}

/** Where a sealed message lies. The outbox is the deployment's: its rows have no tenant that one could change. */
export function outgoingMailPlace(id: string): SealedPlace {
  return { tenantId: null, table: 'outgoing_mails', column: 'sealed_message', row: id };
}
