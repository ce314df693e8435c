import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { firstRow, rows } from '../../platform/database/index.js';
import type { AutoCommit, Reader, Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';

/** `expired` is also a pending invitation whose time has passed, until `InvitationExpiry` ends it. */
export type InvitationStatus = 'pending' | 'accepted' | 'revoked' | 'replaced' | 'expired';

export interface Invitation {
  readonly id: string;
  readonly orgId: TenantId;
  readonly email: string;
  readonly role: string;
  readonly inviterType: 'user' | 'api_key';
  readonly inviterId: string;
  readonly status: InvitationStatus;
  readonly emailed: boolean;
  /** Whether its token left by mail and no response has shown it, so that it proves the address. */
  readonly provesAddress: boolean;
  readonly expiresAt: Date;
  /** Where its page ends; null where the page itself is the end. */
  readonly redirectTo: string | null;
}

export interface NewInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly inviter: { readonly type: 'user' | 'api_key'; readonly id: string };
  /** The token itself is never stored. */
  readonly tokenHash: Buffer;
  readonly redirectTo: string | null;
}

const COLUMNS = `
  id, org_id AS "orgId", email, role, inviter_type AS "inviterType", inviter_id AS "inviterId", emailed,
  redirect_to AS "redirectTo", (emailed OR mail_only) AS "provesAddress", expires_at AS "expiresAt",
  CASE WHEN status = 'pending' AND expires_at <= now() THEN 'expired' ELSE status END AS status`;

@Injectable()
export class InvitationRepository {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  async insertInvitation(tx: Tx, orgId: TenantId, invitation: NewInvitation): Promise<Invitation> {
    const { id, email, role, inviter, tokenHash, redirectTo } = invitation;
    const inserted = await firstRow<Invitation>(
      tx,
      `INSERT INTO invitations (id, org_id, email, role, inviter_type, inviter_id, status, token_hash, mail_only, expires_at,
                                redirect_to)
       VALUES ($2, $1, $3, $4, $5, $6, 'pending', $7, true, now() + make_interval(days => $8), $9)
       RETURNING ${COLUMNS}`,
      [
        orgId,
        id,
        email,
        role,
        inviter.type,
        inviter.id,
        tokenHash,
        this.config.timing.lives.invitationDays,
        redirectTo,
      ],
    );
    if (inserted === null) throw new Error('an inserted invitation was not returned');
    return inserted;
  }

  /** Newest first. */
  async list(
    handle: Tx | Reader,
    orgId: TenantId,
    limit: number,
    before: string | null,
  ): Promise<Invitation[]> {
    return await rows(
      handle,
      `SELECT ${COLUMNS} FROM invitations WHERE org_id = $1 AND ($3::uuid IS NULL OR id < $3)
       ORDER BY id DESC LIMIT $2`,
      [orgId, limit, before],
    );
  }

  /** The invitation that this token accepts now; null when it was used, replaced or revoked, or has expired. */
  async findByToken(handle: Tx | Reader, tokenHash: Buffer): Promise<Invitation | null> {
    return await firstRow<Invitation>(
      handle,
      `SELECT ${COLUMNS} FROM invitations WHERE token_hash = $1 AND status = 'pending' AND expires_at > now()`,
      [tokenHash],
    );
  }

  async pendingWithRole(tx: Tx, orgId: TenantId, role: string): Promise<boolean> {
    const pending = await firstRow(
      tx,
      `SELECT id FROM invitations
       WHERE org_id = $1 AND role = $2 AND status = 'pending' AND expires_at > now() LIMIT 1`,
      [orgId, role],
    );
    return pending !== null;
  }

  /** How many are pending. */
  async countPending(tx: Tx, orgId: TenantId): Promise<number> {
    const counted = await firstRow<{ count: number }>(
      tx,
      `SELECT count(*)::int AS count FROM invitations
       WHERE org_id = $1 AND status = 'pending' AND expires_at > now()`,
      [orgId],
    );
    return counted?.count ?? 0;
  }

  /** Ends the pending invitation of an address, and returns which it was. */
  async replacePending(tx: Tx, orgId: TenantId, email: string): Promise<Invitation | null> {
    return await firstRow<Invitation>(
      tx,
      `UPDATE invitations SET status = 'replaced', ended_at = now()
       WHERE org_id = $1 AND email = $2 AND status = 'pending' RETURNING ${COLUMNS}`,
      [orgId, email],
    );
  }

  /** Locks an organization with pending invitations whose time has passed, if nobody else holds it. */
  async lockSomeWithExpired(tx: Tx): Promise<TenantId | null> {
    const locked = await firstRow<{ id: TenantId }>(
      tx,
      `SELECT id FROM organizations
       WHERE id IN (SELECT org_id FROM invitations WHERE status = 'pending' AND expires_at <= now())
       LIMIT 1 FOR UPDATE SKIP LOCKED`,
    );
    return locked?.id ?? null;
  }

  /** Ends the pending invitations of an organization whose time has passed. */
  async endExpired(tx: Tx, orgId: TenantId): Promise<Invitation[]> {
    return await rows<Invitation>(
      tx,
      `UPDATE invitations SET status = 'expired', ended_at = now()
       WHERE org_id = $1 AND status = 'pending' AND expires_at <= now() RETURNING ${COLUMNS}`,
      [orgId],
    );
  }

  /** Null when no invitation with this id is pending. */
  async end(tx: Tx, orgId: TenantId, id: string, status: 'accepted' | 'revoked'): Promise<Invitation | null> {
    return await firstRow<Invitation>(
      tx,
      `UPDATE invitations SET status = $3, ended_at = now()
       WHERE org_id = $1 AND id = $2 AND status = 'pending' RETURNING ${COLUMNS}`,
      [orgId, id, status],
    );
  }

  /** To be called before a response shows the link: from then on its token proves nothing. */
  async markLinkShown(handle: AutoCommit, orgId: TenantId, id: string): Promise<void> {
    await rows(handle, `UPDATE invitations SET mail_only = false WHERE org_id = $1 AND id = $2`, [orgId, id]);
  }

  async markEmailed(handle: AutoCommit, orgId: TenantId, id: string): Promise<void> {
    await rows(handle, `UPDATE invitations SET emailed = true WHERE org_id = $1 AND id = $2`, [orgId, id]);
  }
}
