import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../../platform/config/index.js';
import type { Config } from '../../../../platform/config/index.js';
import { newId } from '../../../../platform/crypto/index.js';
import { ADVISORY_LOCKS, firstRow, rows } from '../../../../platform/database/index.js';
import type { AutoCommit, Tx } from '../../../../platform/database/index.js';
import type { RealmId } from '../../../users/user.repository.js';

const BATCH = 100;

/**
 * Nobody has accepted it or proven the address otherwise: the account has no password and its address is unverified.
 */
const IS_UNACCEPTED = 'owner.password_hash IS NULL AND NOT owner.email_verified';

interface OwnerId {
  readonly id: string;
}

/** Invitations of projects. Each belongs to a user that it created. */
@Injectable()
export class ProjectInvitationRepository {
  /** In SQL: it expired, or it was interrupted before it was sent, which takes half a minute at most. */
  private readonly isOver: string;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    const unsentSecs = config.timing.identity.unsentInvitationSecs;
    this.isOver = `(invitation.expires_at <= now()
      OR (invitation.sent_at IS NULL AND invitation.created_at <= now() - make_interval(secs => ${unsentSecs})))`;
  }

  /** Held until the transaction ends, so that invitations are counted one after the other. */
  async lockRealm(tx: Tx, realmId: RealmId): Promise<void> {
    await rows(tx, 'SELECT pg_advisory_xact_lock($1, hashtext($2))', [
      ADVISORY_LOCKS.projectInvitations,
      realmId,
    ]);
  }

  /** How many invitations of the realm are pending. */
  async countPending(tx: Tx, realmId: RealmId): Promise<number> {
    const counted = await firstRow<{ count: number }>(
      tx,
      `SELECT count(*)::int AS count
       FROM project_invitations invitation JOIN users owner ON owner.id = invitation.user_id
       WHERE invitation.realm_id = $1 AND ${IS_UNACCEPTED} AND NOT ${this.isOver}`,
      [realmId],
    );
    return counted?.count ?? 0;
  }

  /** @returns when it expires */
  async insertInvitation(tx: Tx, userId: string): Promise<Date> {
    const inserted = await firstRow<{ expiresAt: Date }>(
      tx,
      `INSERT INTO project_invitations (user_id, realm_id, expires_at)
       SELECT id, realm_id, now() + make_interval(days => $2) FROM users WHERE id = $1
       RETURNING expires_at AS "expiresAt"`,
      [userId, this.config.timing.lives.invitationDays],
    );
    if (inserted === null) throw new Error('an insert gave no row');
    return inserted.expiresAt;
  }

  /**
   * The mail server took the mail, with this answer, which goes into the history. The account is locked first, as its
   * deletion does.
   */
  async markSent(handle: AutoCommit, userId: string, answer: string | null): Promise<void> {
    await rows(
      handle,
      `WITH account AS MATERIALIZED (
         SELECT id, email FROM users WHERE id = $1 FOR KEY SHARE
       ), sent AS (
         UPDATE project_invitations SET sent_at = now() WHERE user_id = (SELECT id FROM account)
         RETURNING user_id, realm_id, created_at, sent_at
       )
       INSERT INTO mail_history
         (id, realm_id, user_id, kind, recipient, state, attempts, answer, created_at, finished_at)
       SELECT $2, realm_id, user_id, 'invitation', email, 'sent', 1, $3, created_at, sent_at FROM sent, account`,
      [userId, newId(), answer],
    );
  }

  async delete(tx: Tx, userId: string): Promise<void> {
    await rows(tx, 'DELETE FROM project_invitations WHERE user_id = $1', [userId]);
  }

  /** Holds the invited user while the invitation is neither accepted nor sent. */
  async holdUnsent(tx: Tx, userId: string): Promise<boolean> {
    const locked = await rows(
      tx,
      `SELECT owner.id FROM users owner JOIN project_invitations invitation ON invitation.user_id = owner.id
       WHERE owner.id = $1 AND invitation.sent_at IS NULL AND ${IS_UNACCEPTED}
       FOR UPDATE OF owner`,
      [userId],
    );
    return locked.length === 1;
  }

  /**
   * Locks the user of the address if it was created by an invitation that expired or was never sent.
   * @param withUnsent whether an unsent invitation counts immediately; only for callers who know that nobody is sending
   *   it
   */
  async holdDead(tx: Tx, realmId: RealmId, email: string, withUnsent: boolean): Promise<string | null> {
    const locked = await firstRow<OwnerId>(
      tx,
      `SELECT owner.id FROM users owner JOIN project_invitations invitation ON invitation.user_id = owner.id
       WHERE owner.realm_id = $1 AND owner.email = $2 AND ${IS_UNACCEPTED}
         AND (${this.isOver} OR ($3 AND invitation.sent_at IS NULL))
       FOR UPDATE OF owner`,
      [realmId, email, withUnsent],
    );
    return locked?.id ?? null;
  }

  /** Locks some users, of any project, whose invitations expired or were never sent. */
  async holdSomeDead(tx: Tx): Promise<string[]> {
    const locked = await rows<OwnerId>(
      tx,
      `SELECT owner.id FROM users owner JOIN project_invitations invitation ON invitation.user_id = owner.id
       WHERE ${IS_UNACCEPTED} AND ${this.isOver}
       LIMIT ${BATCH} FOR UPDATE OF owner SKIP LOCKED`,
    );
    return locked.map(({ id }) => id);
  }

  /** Deletes expired invitations of users who got in otherwise. */
  async prune(handle: AutoCommit): Promise<void> {
    await rows(
      handle,
      `DELETE FROM project_invitations invitation USING users owner
       WHERE owner.id = invitation.user_id AND NOT (${IS_UNACCEPTED}) AND invitation.expires_at <= now()`,
    );
  }
}
