import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';

/** The role and the permissions of a user in one organization. */
export interface Membership {
  readonly orgId: string;
  readonly slug: string;
  readonly name: string;
  readonly role: string;
  readonly permissions: readonly string[];
  /** Whether the organization requires a second factor and the user has none. */
  readonly lacksSecondFactor: boolean;
}

/** An organization as one of its members sees it. */
export interface UserOrganization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly requireSecondFactor: boolean;
  readonly role: string;
}

/** An organization of a user, as the operator sees it. */
export interface UserOrganizationOfOperator {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly role: string;
  readonly joinedAt: Date;
  /** Whether the user owns it, and no other owner can sign in. */
  readonly isOnlyOwner: boolean;
}

@Injectable()
export class MembershipRepository {
  async find(handle: Tx | Reader, userId: string, orgId: string): Promise<Membership | null> {
    return await firstRow<Membership>(
      handle,
      `SELECT org.id AS "orgId", org.slug, org.name, member.role, role.permissions,
              org.require_second_factor AND NOT account.second_factor AS "lacksSecondFactor"
       FROM members member
       JOIN users account ON account.id = member.user_id
       JOIN organizations org ON org.id = member.org_id
       JOIN roles role ON role.org_id = member.org_id AND role.name = member.role
       WHERE member.user_id = $1 AND member.org_id = $2`,
      [userId, orgId],
    );
  }

  /** The ids of two organizations of a user, which is enough to know whether there is only one. */
  async findTwoOfUser(handle: Tx | Reader, userId: string): Promise<string[]> {
    const sql = 'SELECT org_id AS "orgId" FROM members WHERE user_id = $1 LIMIT 2';
    return (await rows<{ orgId: string }>(handle, sql, [userId])).map(({ orgId }) => orgId);
  }

  /** Organizations of a user, newest first, before the id `before`; without what their roles allow. */
  async listOfUser(
    handle: Tx | Reader,
    userId: string,
    limit: number,
    before: string | null,
  ): Promise<UserOrganization[]> {
    return await rows<UserOrganization>(
      handle,
      `SELECT org.id, org.slug, org.name, org.created_at AS "createdAt",
              org.require_second_factor AS "requireSecondFactor", member.role
       FROM members member
       JOIN organizations org ON org.id = member.org_id
       WHERE member.user_id = $1 AND ($3::uuid IS NULL OR member.org_id < $3)
       ORDER BY member.org_id DESC LIMIT $2`,
      [userId, limit, before],
    );
  }

  /** The same for the operator. */
  async listForOperator(
    handle: Tx | Reader,
    userId: string,
    limit: number,
    before: string | null,
  ): Promise<UserOrganizationOfOperator[]> {
    return await rows<UserOrganizationOfOperator>(
      handle,
      `SELECT org.id, org.slug, org.name, member.role, member.joined_at AS "joinedAt",
              member.role = 'owner' AND NOT EXISTS (
                SELECT FROM members other JOIN users account ON account.id = other.user_id
                WHERE other.org_id = org.id AND other.user_id <> $1 AND other.role = 'owner'
                  AND account.disabled_at IS NULL
              ) AS "isOnlyOwner"
       FROM members member
       JOIN organizations org ON org.id = member.org_id
       WHERE member.user_id = $1 AND ($3::uuid IS NULL OR member.org_id < $3)
       ORDER BY member.org_id DESC LIMIT $2`,
      [userId, limit, before],
    );
  }
}
