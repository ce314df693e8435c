import { Injectable } from '@nestjs/common';
import type { AssociatedData } from '../../platform/crypto/index.js';
import { firstRow, rows } from '../../platform/database/index.js';
import type { AutoCommit, Reader, Tx } from '../../platform/database/index.js';
import type { Language } from '../../platform/languages/index.js';
import type { Origin } from '../../http/index.js';
import type { RequestedRedirect } from '../redirects/requested-redirect.js';
import type { RealmId } from '../users/user.repository.js';
import type { Notice } from '../mails/account-mails.js';
import { COUNTED_MAIL, mailBoundParameters } from '../mails/mail-count.repository.js';
import type { MailBounds } from '../mails/mail-count.repository.js';
import type { MailOutcome } from '../mails/mail-history.repository.js';

/** What a request that caused a mail says of its reader. */
interface Requested {
  /** The language that the request prefers. */
  readonly language: Language | null;
}

/** A mail that anyone can ask for, for an address that may have an account or not. */
export interface RequestedMail {
  readonly kind: 'recover' | 'magic_link';
  readonly realmId: RealmId;
  readonly email: string;
  /** Null for a request from the command line. */
  readonly origin: Origin | null;
  /** As `Registration` has it; absent for a recovery, which creates no account. */
  readonly byProgram?: boolean;
  /** Whether the request is in the audit trail already. */
  readonly isRecorded?: boolean;
  readonly baseUrl: string;
}

/**
 * A mail to be sent. It is composed when it is sent; only then is it decided whether there is anything to send, and to
 * whom.
 */
export type OutgoingMail = MailWithToken | NoticeMail | AddressChangeMail;

/** A mail whose link has a token. */
export type MailWithToken = (
  ({ readonly kind: 'verify'; readonly userId: string; readonly baseUrl: string } & Requested) | RequestedMail
) & {
  /** Where the page of its link ends. */
  readonly redirect: RequestedRedirect | null;
  /** The token of its link, the same in every attempt; absent until the first. */
  readonly token?: string;
};

/** A mail that tells a user what somebody else changed in the account. */
export interface NoticeMail extends Requested {
  readonly kind: 'notice';
  readonly userId: string;
  readonly notice: Notice;
  /** The address that the account had at the time; absent for the one that it has when the mail is sent. */
  readonly to?: string;
}

/** A mail to the address that an account is to have. */
export interface AddressChangeMail extends Requested {
  readonly kind: 'change_email';
  readonly userId: string;
  readonly email: string;
  readonly token: string;
  readonly baseUrl: string;
}

/** What a mail is, in the list of mails. Invitations are there once they are sent. */
export type MailKind = 'verification' | 'recovery' | 'magic_link' | 'email_change' | 'invitation' | Notice;

const KINDS = {
  verify: 'verification',
  recover: 'recovery',
  magic_link: 'magic_link',
  change_email: 'email_change',
} as const;

export function kindOf(mail: OutgoingMail): MailKind {
  return mail.kind === 'notice' ? mail.notice : KINDS[mail.kind];
}

/** A mail to insert. */
export interface NewOutgoingMail {
  readonly id: string;
  readonly realmId: RealmId;
  readonly kind: MailKind;
  readonly recipient: string;
  readonly sealed: Buffer;
}

/** As `MailOutcome`, of a mail that is sent no more. */
export interface FinishedMail extends MailOutcome {
  /** Where the page of its link ends. */
  readonly redirect: RequestedRedirect | null;
}

/** A mail that an instance has claimed. */
export interface ClaimedMail {
  readonly id: string;
  readonly realmId: RealmId;
  readonly sealed: Buffer;
  /** The number of the attempt, from 1, which identifies the claim as well. */
  readonly attempt: number;
  readonly ageSecs: number;
}

/** The associated data of a sealed message. The outbox belongs to the deployment, so its rows have no tenant. */
export function outgoingMailAssociatedData(id: string): AssociatedData {
  return { tenantId: null, table: 'outgoing_mails', column: 'sealed_message', row: id };
}

/** What waits in the outbox. */
export interface OutboxState {
  readonly waiting: number;
  /** Mails whose latest attempt failed. */
  readonly failing: number;
  /** Of the mail that has failed most often: a code, or what is wrong with a certificate. */
  readonly reason: string | null;
  /** How long the mail that has been due longest has waited for an instance to send it, seconds; null without one. */
  readonly overdueSecs: number | null;
}

@Injectable()
export class OutgoingMailRepository {
  async state(reader: Reader): Promise<OutboxState> {
    const found = await firstRow<OutboxState>(
      reader,
      `SELECT count(*)::int AS waiting, count(*) FILTER (WHERE last_error IS NOT NULL)::int AS failing,
              (array_agg(last_error ORDER BY attempts DESC) FILTER (WHERE last_error IS NOT NULL))[1] AS reason,
              extract(epoch FROM max(now() - next_attempt_at) FILTER (WHERE next_attempt_at < now()))::float8
                AS "overdueSecs"
       FROM outgoing_mails`,
    );
    return found ?? { waiting: 0, failing: 0, reason: null, overdueSecs: null };
  }

  /** Counts the mail and inserts it, unless it exceeds a limit. */
  async insertWithin(
    handle: Tx | AutoCommit,
    { id, realmId, kind, recipient, sealed }: NewOutgoingMail,
    bounds: MailBounds,
  ): Promise<boolean> {
    const inserted = await rows(
      handle,
      `WITH ${COUNTED_MAIL}
       INSERT INTO outgoing_mails (id, realm_id, kind, recipient, sealed_message)
       SELECT $7, $8, $9, $10, $11 FROM counted
       RETURNING id`,
      [...mailBoundParameters(bounds), id, realmId, kind, recipient, sealed],
    );
    return inserted.length === 1;
  }

  /** Inserts a mail that has been counted. */
  async insertMail(tx: Tx, { id, realmId, kind, recipient, sealed }: NewOutgoingMail): Promise<void> {
    await rows(
      tx,
      `INSERT INTO outgoing_mails (id, realm_id, kind, recipient, sealed_message) VALUES ($1, $2, $3, $4, $5)`,
      [id, realmId, kind, recipient, sealed],
    );
  }

  /**
   * Claims the mail with this id, or with null the one that has been due longest, except for mails of the realms
   * `without`. Null when it is not due or is already claimed.
   */
  async claimMail(
    handle: AutoCommit,
    id: string | null,
    without: readonly RealmId[],
    leaseSecs: number,
  ): Promise<ClaimedMail | null> {
    return await firstRow<ClaimedMail>(
      handle,
      `UPDATE outgoing_mails SET attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $2)
       WHERE id = (
         SELECT id FROM outgoing_mails
         WHERE next_attempt_at <= now() AND ($1::uuid IS NULL OR id = $1)
           AND realm_id <> ALL($3::uuid[])
         ORDER BY next_attempt_at LIMIT 1
         FOR UPDATE SKIP LOCKED
       )
       RETURNING id, realm_id AS "realmId", sealed_message AS sealed, attempts AS attempt,
                 extract(epoch FROM now() - created_at)::float8 AS "ageSecs"`,
      [id, leaseSecs, without],
    );
  }

  /** Renews claims and returns the ids of those that are still ours. */
  async renew(
    handle: AutoCommit,
    claims: readonly ClaimedMail[],
    leaseSecs: number,
  ): Promise<ReadonlySet<string>> {
    const renewed = await rows<{ id: string }>(
      handle,
      `UPDATE outgoing_mails mail SET next_attempt_at = now() + make_interval(secs => $3)
       FROM unnest($1::uuid[], $2::int[]) claim (id, attempt)
       WHERE mail.id = claim.id AND mail.attempts = claim.attempt
       RETURNING mail.id`,
      [claims.map(({ id }) => id), claims.map(({ attempt }) => attempt), leaseSecs],
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

  /** Makes a mail due now, unless an instance is sending it. False when one is, or the mail is finished. */
  async makeDue(tx: Tx, id: string): Promise<boolean> {
    const due = await rows(
      tx,
      `UPDATE outgoing_mails SET next_attempt_at = now() WHERE id = $1 AND attempts = failed_attempt RETURNING 1`,
      [id],
    );
    return due.length === 1;
  }

  /**
   * Replaces a finished mail by an entry of the history without its message, if the claim is still ours. A mail to an
   * address without an account leaves no entry. The account is locked first, as its deletion does.
   */
  async finish(
    handle: AutoCommit,
    { id, attempt }: ClaimedMail,
    state: 'sent' | 'failed',
    { reason, answer, redirect }: FinishedMail,
  ): Promise<void> {
    await rows(
      handle,
      `WITH account AS MATERIALIZED (
         SELECT holder.id FROM outgoing_mails mail
           JOIN users holder ON holder.realm_id = mail.realm_id AND holder.email = mail.recipient
         WHERE mail.id = $1 AND mail.attempts = $2
         FOR KEY SHARE OF holder
       ), finished AS (
         DELETE FROM outgoing_mails
         WHERE id = $1 AND attempts = $2 AND (SELECT count(*) FROM account) >= 0
         RETURNING *
       )
       INSERT INTO mail_history
         (id, realm_id, user_id, kind, recipient, state, attempts, reason, answer, created_at, finished_at, redirect_to,
          code_challenge)
       SELECT finished.id, realm_id, account.id, kind, recipient, $3, attempts, $4, $5, created_at, now(), $6, $7
       FROM finished, account`,
      [id, attempt, state, reason, answer, redirect?.url ?? null, redirect?.codeChallenge ?? null],
    );
  }

  /** Deletes a mail that no longer has to be sent, if the claim is still ours. */
  async remove(handle: AutoCommit, { id, attempt }: ClaimedMail): Promise<void> {
    await rows(handle, 'DELETE FROM outgoing_mails WHERE id = $1 AND attempts = $2', [id, attempt]);
  }

  /** Schedules another attempt, if the claim is still ours. */
  async postpone(
    handle: AutoCommit,
    { id, attempt }: ClaimedMail,
    delaySecs: number,
    { reason, answer }: MailOutcome,
  ): Promise<void> {
    await rows(
      handle,
      `UPDATE outgoing_mails
       SET next_attempt_at = now() + make_interval(secs => $3), failed_attempt = attempts, last_error = $4,
           last_answer = $5
       WHERE id = $1 AND attempts = $2`,
      [id, attempt, delaySecs, reason, answer],
    );
  }
}
