import { Injectable } from '@nestjs/common';
import { firstRow } from '../platform/database/index.js';
import type { Tx } from '../platform/database/index.js';
import { ServiceError } from '../platform/http/index.js';
import type { Caller, TenantId } from '../platform/http/index.js';
import { covers } from '../rbac/index.js';

const OF_MEMBER = `
  SELECT role.permissions
  FROM members member
  JOIN roles role ON role.org_id = member.org_id AND role.name = member.role
  JOIN users account ON account.id = member.user_id AND account.disabled_at IS NULL
  WHERE member.org_id = $1 AND member.user_id = $2`;

const OF_KEY = `
  SELECT permissions FROM api_keys
  WHERE org_id = $1 AND id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`;

/**
 * What a caller may do at the moment of a change. Between the guard's look into its cache and the change
 * the caller may have been demoted, removed or revoked, by somebody who was told that it is done.
 */
@Injectable()
export class ApiKeyMakerRights {
  /**
   * Locks the organization, which orders this change with every other of its members, roles and keys.
   * @returns the caller's permissions
   * @throws not_a_member, invalid_api_key, permission_denied
   */
  async demand(tx: Tx, orgId: TenantId, caller: Caller, permission: string): Promise<readonly string[]> {
    const organization = await firstRow(tx, `SELECT id FROM organizations WHERE id = $1 FOR UPDATE`, [orgId]);
    if (organization === null) throw new ServiceError('not_a_member');
    const isUser = caller.type === 'user';
    const holder = await firstRow<{ permissions: string[] }>(tx, isUser ? OF_MEMBER : OF_KEY, [
      orgId,
      isUser ? caller.userId : caller.keyId,
    ]);
    if (holder === null) {
      if (isUser) throw new ServiceError('not_a_member');
      throw new ServiceError('invalid_api_key', {
        headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
      });
    }
    if (covers(holder.permissions, permission)) return holder.permissions;
    throw new ServiceError('permission_denied', { hint: `This needs the permission ${permission}.` });
  }
}
