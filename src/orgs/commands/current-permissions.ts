import { Injectable } from '@nestjs/common';
import { liveSessionSql } from '../../identity/index.js';
import { firstRow } from '../../platform/database/index.js';
import type { Reader, SelectText, Tx } from '../../platform/database/index.js';
import type { UserCaller } from '../../http/index.js';

/** A holder of permissions in an organization: a member or an API key. */
export interface Holder {
  readonly type: 'user' | 'api_key';
  readonly id: string;
}

/** The permissions of a member, and whether the member's session lives. */
export interface SessionPermissions {
  readonly permissions: readonly string[];
  readonly isSessionLive: boolean;
}

const FROM_MEMBER = `
  FROM members member
  JOIN roles role ON role.org_id = member.org_id AND role.name = member.role
  JOIN users account ON account.id = member.user_id AND account.disabled_at IS NULL
  WHERE member.org_id = $1 AND member.user_id = $2`;

const OF_MEMBER: SelectText = `SELECT role.permissions ${FROM_MEMBER}
    AND (account.second_factor OR NOT EXISTS (
      SELECT FROM organizations WHERE id = member.org_id AND require_second_factor
    ))`;

const OF_SESSION = `
  WITH ${liveSessionSql('$2', '$3')}
  SELECT role.permissions, EXISTS (SELECT FROM live) AS "isSessionLive" ${FROM_MEMBER}`;

const OF_KEY: SelectText = `SELECT permissions FROM api_keys
  WHERE org_id = $1 AND id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`;

/**
 * The current permissions of a member or an API key, from the database: for decisions that must not rely on a cache.
 */
@Injectable()
export class CurrentPermissions {
  /**
   * Null for a user who is not a member, is disabled, or lacks the second factor that the organization demands, and for a
   * revoked or expired key.
   */
  async permissionsOf(
    handle: Tx | Reader,
    organizationId: string,
    holder: Holder,
  ): Promise<readonly string[] | null> {
    const found = await firstRow<{ permissions: string[] }>(
      handle,
      holder.type === 'user' ? OF_MEMBER : OF_KEY,
      [organizationId, holder.id],
    );
    return found?.permissions ?? null;
  }

  /**
   * The same for a member, and locks the member's session until the transaction ends. Call it with the organization
   * locked: users and sessions come after organizations in the order of locks.
   */
  async permissionsInSession(
    tx: Tx,
    organizationId: string,
    { userId, sessionId }: UserCaller,
  ): Promise<SessionPermissions | null> {
    return await firstRow<SessionPermissions>(tx, OF_SESSION, [organizationId, userId, sessionId]);
  }
}
