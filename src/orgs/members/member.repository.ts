import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { firstRow, rows, violatesForeignKey } from '../../platform/database/index.js';
import type { Reader, SelectText, Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { ListPosition, TenantId } from '../../http/index.js';

@Entity('members')
export class MemberEntity {
  @PrimaryColumn('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  role!: string;
}

/** A member as the organization sees them. */
export interface Member {
  readonly userId: string;
  readonly email: string;
  readonly role: string;
  readonly joinedAt: Date;
  /** Whether the account is disabled, and may do nothing. */
  readonly disabled: boolean;
  /** What the role allows. */
  readonly permissions: readonly string[];
}

const MEMBERS: SelectText = `SELECT member.user_id AS "userId", account.email, member.role, member.joined_at AS "joinedAt",
         account.disabled_at IS NOT NULL AS disabled, role.permissions,
         (extract(epoch FROM member.joined_at) * 1000000)::bigint::text AS "atMicros", member.user_id::text AS key
  FROM members member
  JOIN users account ON account.id = member.user_id
  JOIN roles role ON role.org_id = member.org_id AND role.name = member.role
  WHERE member.org_id = $1`;

/**
 * Adds a member. Waits for a deletion of the account that is in progress.
 * @throws invalid_access_token when the account no longer exists
 */
export async function insertMember(tx: Tx, member: MemberEntity): Promise<void> {
  try {
    await tx.insert(MemberEntity, member);
  } catch (error) {
    if (violatesForeignKey(error, 'members_user_id_fkey')) throw new ServiceError('invalid_access_token');
    throw error;
  }
}

@Injectable()
export class MemberRepository {
  /** Newest first. */
  async list(
    handle: Tx | Reader,
    orgId: TenantId,
    limit: number,
    before: ListPosition | null,
  ): Promise<(Member & ListPosition)[]> {
    return await rows(
      handle,
      `${MEMBERS} AND ($3::bigint IS NULL OR (member.joined_at, member.user_id)
         < ('epoch'::timestamptz + $3::bigint * interval '1 microsecond', $4::uuid))
       ORDER BY member.joined_at DESC, member.user_id DESC LIMIT $2`,
      [orgId, limit, before?.atMicros ?? null, before?.key ?? null],
    );
  }

  async find(handle: Tx | Reader, orgId: TenantId, userId: string): Promise<Member | null> {
    return await firstRow<Member>(handle, `${MEMBERS} AND member.user_id = $2`, [orgId, userId]);
  }

  async hasEmail(handle: Tx | Reader, orgId: TenantId, email: string): Promise<boolean> {
    const found = await firstRow(handle, `${MEMBERS} AND account.email = $2 LIMIT 1`, [orgId, email]);
    return found !== null;
  }

  /** Whether somebody besides this user owns the organization and can sign in. */
  async hasOtherOwner(tx: Tx, orgId: TenantId, userId: string): Promise<boolean> {
    const other = await firstRow(
      tx,
      `SELECT member.user_id FROM members member JOIN users account ON account.id = member.user_id
       WHERE member.org_id = $1 AND member.user_id <> $2 AND member.role = 'owner' AND account.disabled_at IS NULL
       LIMIT 1`,
      [orgId, userId],
    );
    return other !== null;
  }

  async count(tx: Tx, orgId: TenantId): Promise<number> {
    return await tx.countBy(MemberEntity, { orgId });
  }

  /** In how many organizations a user is. @param role null for any */
  async countOfUser(tx: Tx, userId: string, role: string | null): Promise<number> {
    return await tx.countBy(MemberEntity, { userId, ...(role === null ? {} : { role }) });
  }

  async hasRole(tx: Tx, orgId: TenantId, role: string): Promise<boolean> {
    return await tx.existsBy(MemberEntity, { orgId, role });
  }

  async setRole(tx: Tx, orgId: TenantId, userId: string, role: string): Promise<void> {
    await tx.update(MemberEntity, { orgId, userId }, { role });
  }

  async delete(tx: Tx, orgId: TenantId, userId: string): Promise<void> {
    await tx.delete(MemberEntity, { orgId, userId });
  }
}
