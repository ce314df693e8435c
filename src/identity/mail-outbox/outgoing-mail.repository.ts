import { Injectable } from '@nestjs/common';
import type { SealedPlace } from '../../platform/crypto/index.js';
import { firstRow, rows } from '../../platform/database/index.js';
import type { AutoCommit, Tx } from '../../platform/database/index.js';
import type { Origin } from '../../http/index.js';
import type { RealmId } from '../users/user.repository.js';
import type { Notice } from './account-mails.js';
import { COUNTED_MAIL, mailBoundParameters } from './mail-count.repository.js';
import type { MailBounds } from './mail-count.repository.js';

/** A mail that anyone can ask for, for an address that may have an account or not. */
export interface RequestedMail {
  readonly kind: 'recover' | 'magic_link';
  readonly realmId: RealmId;
  readonly email: string;
  /** Null for a request from the command line. */
  readonly origin: Origin | null;
  /** As `Registration` has it; absent in mails of an earlier release. */
  readonly byProgram?: boolean;
  /** Whether the request is in the audit trail already. */
  readonly isRecorded?: boolean;
  readonly baseUrl: string;
}

/**
 * A mail to be sent. It is composed when it is sent; only then is it decided whether there is anything to send, and to
 * whom.
 */
export type OutgoingMail = MailWithToken | NoticeMail;

/** A mail whose link has a token. */
export type MailWithToken = (
  { readonly kind: 'verify'; readonly userId: string; readonly baseUrl: string } | RequestedMail
) & {
  /** The token of its link, the same in every attempt; absent until the first. */
  readonly token?: string;
};

/** A mail that tells a user what somebody else changed in the account. */
export interface NoticeMail {
  readonly kind: 'notice';
  readonly userId: string;
  readonly notice: Notice;
}

/** A mail that an instance has claimed. */
export interface ClaimedMail {
  readonly id: string;
  /** Null in mails of an earlier release. */
  readonly realmId: RealmId | null;
  readonly sealed: Buffer;
  /** The number of the attempt, from 1, which identifies the claim as well. */
  readonly attempt: number;
  readonly ageSecs: number;
}

/** The place of a sealed message. The outbox belongs to the deployment, so its rows have no tenant. */
export function outgoingMailPlace(id: string): SealedPlace {
  return { tenantId: null, table: 'outgoing_mails', column: 'sealed_message', row: id };
}

/**
 * How long a claim lasts unless it is renewed. Afterwards other instances take over the mails of an instance that died.
 */
const LEASE_SECS = 30;

@Injectable()
export class OutgoingMailRepository {
  /** Counts the mail and inserts it, unless it exceeds a limit. */
  async insertWithin(
    handle: Tx | AutoCommit,
    { id, realmId, sealed }: { readonly id: string; readonly realmId: RealmId; readonly sealed: Buffer },
    bounds: MailBounds,
  ): Promise<boolean> {
    const inserted = await rows(
      handle,
      `WITH ${COUNTED_MAIL}
       INSERT INTO outgoing_mails (id, realm_id, sealed_message) SELECT $7, $8, $9 FROM counted
       RETURNING id`,
      [...mailBoundParameters(bounds), id, realmId, sealed],
    );
    return inserted.length === 1;
  }

  /** Inserts a mail that has been counted. */
  async insert(
    tx: Tx,
    { id, realmId, sealed }: { readonly id: string; readonly realmId: RealmId; readonly sealed: Buffer },
  ): Promise<void> {
    await rows(tx, 'INSERT INTO outgoing_mails (id, realm_id, sealed_message) VALUES ($1, $2, $3)', [
      id,
      realmId,
      sealed,
    ]);
  }

  /**
   * Claims the mail with this id, or with null the one that has been due longest, except for mails of the realms
   * `without`. Null when it is not due or is already claimed.
   */
  async claim(
    handle: AutoCommit,
    id: string | null,
    without: readonly RealmId[],
  ): Promise<ClaimedMail | null> {
    return await firstRow<ClaimedMail>(
      handle,
      `UPDATE outgoing_mails SET attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $2)
       WHERE id = (
         SELECT id FROM outgoing_mails
         WHERE next_attempt_at <= now() AND ($1::uuid IS NULL OR id = $1)
           AND (realm_id IS NULL OR realm_id <> ALL($3::uuid[]))
         ORDER BY next_attempt_at LIMIT 1
         FOR UPDATE SKIP LOCKED
       )
       RETURNING id, realm_id AS "realmId", sealed_message AS sealed, attempts AS attempt,
                 extract(epoch FROM now() - created_at)::float8 AS "ageSecs"`,
      [id, LEASE_SECS, without],
    );
  }

  /** Renews claims and returns the ids of those that are still ours. */
  async renew(handle: AutoCommit, claims: readonly ClaimedMail[]): Promise<ReadonlySet<string>> {
    const renewed = await rows<{ id: string }>(
      handle,
      `UPDATE outgoing_mails mail SET next_attempt_at = now() + make_interval(secs => $3)
       FROM unnest($1::uuid[], $2::int[]) claim (id, attempt)
       WHERE mail.id = claim.id AND mail.attempts = claim.attempt
       RETURNING mail.id`,
      [claims.map(({ id }) => id), claims.map(({ attempt }) => attempt), LEASE_SECS],
    );
    return new Set(renewed.map(({ id }) => id));
  }

  /** Replaces the sealed message. False when the claim is no longer ours. */
  async replaceMessage(tx: Tx, { id, attempt }: ClaimedMail, sealed: Buffer): Promise<boolean> {
    const replaced = await rows(
      tx,
      'UPDATE outgoing_mails SET sealed_message = $3 WHERE id = $1 AND attempts = $2 RETURNING 1',
      [id, attempt, sealed],
    );
    return replaced.length === 1;
  }

  /** Releases a mail that was not sent, so that any instance can claim it immediately, if the claim is still ours. */
  async giveBack(handle: AutoCommit, { id, attempt }: ClaimedMail): Promise<void> {
    await rows(handle, 'UPDATE outgoing_mails SET next_attempt_at = now() WHERE id = $1 AND attempts = $2', [
      id,
      attempt,
    ]);
  }

  /** Deletes a finished mail, if the claim is still ours. */
  async remove(handle: AutoCommit, { id, attempt }: ClaimedMail): Promise<void> {
    await rows(handle, 'DELETE FROM outgoing_mails WHERE id = $1 AND attempts = $2', [id, attempt]);
  }

  /** Schedules another attempt, if the claim is still ours. */
  async postpone(
    handle: AutoCommit,
    { id, attempt }: ClaimedMail,
    delaySecs: number,
    reason: string,
  ): Promise<void> {
    await rows(
      handle,
      `UPDATE outgoing_mails SET next_attempt_at = now() + make_interval(secs => $3), last_error = $4
       WHERE id = $1 AND attempts = $2`,
      [id, attempt, delaySecs, reason],
    );
  }
}
