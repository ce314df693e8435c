import type { SealedPlace } from '../../platform/crypto/index.js';
import type { Origin } from '../../platform/http/index.js';
import type { RealmId } from '../users/user.repository.js';

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
 * A mail that is to go out. It is composed when it is sent: whether there is anything to send, and to whom, is decided
 * then.
 */
export type OutgoingMail = (
  { readonly kind: 'verify'; readonly userId: string; readonly baseUrl: string } | RequestedMail
) & {
  /** What its link carries, in every attempt the same; absent until the first. */
  readonly token?: string;
};

/** A mail that an instance has taken on. */
export interface ClaimedMail {
  readonly id: string;
  /** Null in mails of an earlier release. */
  readonly realmId: RealmId | null;
  readonly sealed: Buffer;
  /** Which attempt this is, from 1; names the claim as well. */
  readonly attempt: number;
  readonly ageSecs: number;
}

/** Where a sealed message lies. The outbox is the deployment's: its rows have no tenant that one could change. */
export function outgoingMailPlace(id: string): SealedPlace {
  return { tenantId: null, table: 'outgoing_mails', column: 'sealed_message', row: id };
}
