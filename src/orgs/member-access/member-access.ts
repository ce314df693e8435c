import { Injectable } from '@nestjs/common';
import { isUuid } from '../../platform/crypto/index.js';
import { Database, firstRow, rows } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { TenantId } from '../../http/index.js';
import { covers } from '../../rbac/index.js';

/** A permission of a role, perhaps with wildcards, that covers what was asked for. */
export interface Grant {
  readonly role: string;
  readonly permission: string;
}

export type AccessReason = 'granted' | 'not_granted' | 'account_disabled';

/** Whether a member may do something, and why. */
export interface MemberAccess {
  readonly userId: string;
  readonly email: string;
  readonly role: string;
  readonly permission: string;
  readonly allowed: boolean;
  readonly reason: AccessReason;
  readonly grantedBy: readonly Grant[];
  /** The roles of the organization that allow it, by name. */
  readonly roles: readonly string[];
}

/** Bounds the response where no quota of roles is set. */
const MAX_ROLES = 1_000;

/** Explains why a member may or may not do something. */
@Injectable()
export class MemberAccesses {
  constructor(private readonly database: Database) {}

  /**
   * @param permission without wildcards
   * @throws member_not_found
   */
  async explain(organizationId: TenantId, userId: string, permission: string): Promise<MemberAccess> {
    const member = isUuid(userId) ? await this.member(organizationId, userId.toLowerCase()) : null;
    if (member === null) throw new ServiceError('member_not_found');
    const { email, role, isDisabled } = member;
    const grantedBy = member.permissions
      .filter((granted) => covers([granted], permission))
      .map((granted) => ({ role, permission: granted }));
    const granted = grantedBy.length > 0 ? 'granted' : 'not_granted';
    const reason = isDisabled ? 'account_disabled' : granted;
    const roles = await this.rolesThatAllow(organizationId, permission);
    const allowed = reason === 'granted';
    return { userId: member.userId, email, role, permission, allowed, reason, grantedBy, roles };
  }

  private async member(
    organizationId: TenantId,
    userId: string,
  ): Promise<{
    userId: string;
    email: string;
    role: string;
    permissions: readonly string[];
    isDisabled: boolean;
  } | null> {
    return await firstRow(
      this.database.reader,
      `SELECT member.user_id AS "userId", account.email, member.role, role.permissions,
              account.disabled_at IS NOT NULL AS "isDisabled"
       FROM members member
       JOIN users account ON account.id = member.user_id
       JOIN roles role ON role.org_id = member.org_id AND role.name = member.role
       WHERE member.org_id = $1 AND member.user_id = $2`,
      [organizationId, userId],
    );
  }

  private async rolesThatAllow(organizationId: TenantId, permission: string): Promise<string[]> {
    const roles = await rows<{ name: string; permissions: readonly string[] }>(
      this.database.reader,
      'SELECT name, permissions FROM roles WHERE org_id = $1 ORDER BY name LIMIT $2',
      [organizationId, MAX_ROLES],
    );
    return roles.filter((role) => covers(role.permissions, permission)).map(({ name }) => name);
  }
}
