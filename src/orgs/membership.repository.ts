import { Injectable } from '@nestjs/common';
import { rows } from '../platform/database/index.js';
import type { Reader, Tx } from '../platform/database/index.js';

/** An organization as one of its members sees it. */
export interface Membership {
  readonly orgId: string;
  readonly slug: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly role: string;
  readonly permissions: readonly string[];
}

@Injectable()
export class MembershipRepository {
  /** All organizations of a user, newest first. */
  async ofUser(handle: Tx | Reader, userId: string): Promise<Membership[]> {
    return await rows<Membership>(
      handle,
      `SELECT org.id AS "orgId", org.slug, org.name, org.created_at AS "createdAt",
              member.role, role.permissions
       FROM members member
       JOIN organizations org ON org.id = member.org_id
       JOIN roles role ON role.org_id = member.org_id AND role.name = member.role
       WHERE member.user_id = $1
       ORDER BY org.id DESC`,
      [userId],
    );
  }
}
