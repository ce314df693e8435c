import { Injectable } from '@nestjs/common';
import { Database, rows } from '../../platform/database/index.js';
import type { SelectText } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { TenantId } from '../../http/index.js';
import { covers, RoleRepository } from '../../rbac/index.js';
import type { Role } from '../../rbac/index.js';

export interface HoldingMember {
  readonly userId: string;
  readonly email: string;
  readonly joinedAt: Date;
}

/** A pending invitation that grants the role. */
export interface HoldingInvitation {
  readonly id: string;
  readonly email: string;
  readonly expiresAt: Date;
}

/** A usable API key that may do all that the role allows. */
export interface HoldingKey {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
}

/** Some of a list, and how many there are in all. */
export interface Counted<Item> {
  readonly count: number;
  readonly first: readonly Item[];
}

export interface Holders {
  readonly role: Role;
  readonly members: Counted<HoldingMember>;
  readonly invitations: Counted<HoldingInvitation>;
  /** Null where the caller may not see API keys. */
  readonly apiKeys: Counted<HoldingKey> | null;
}

/** Of each kind, how many the response lists. */
const LISTED = 100;
/** Bounds the keys to look through where no quota of keys is set. */
const MAX_KEYS = 2_000;

const MEMBERS: SelectText = `SELECT member.user_id AS "userId", account.email, member.joined_at AS "joinedAt",
         count(*) OVER ()::int AS total
  FROM members member JOIN users account ON account.id = member.user_id
  WHERE member.org_id = $1 AND member.role = $2
  ORDER BY member.joined_at DESC, member.user_id DESC LIMIT $3`;

const INVITATIONS: SelectText = `SELECT id, email, expires_at AS "expiresAt", count(*) OVER ()::int AS total
  FROM invitations
  WHERE org_id = $1 AND role = $2 AND status = 'pending' AND expires_at > now()
  ORDER BY id DESC LIMIT $3`;

const USABLE_KEYS: SelectText = `SELECT id, name, permissions FROM api_keys
  WHERE org_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
  ORDER BY created_at DESC, id DESC LIMIT $2`;

/** Who may do what a role allows. */
@Injectable()
export class RoleHolders {
  constructor(
    private readonly database: Database,
    private readonly roles: RoleRepository,
  ) {}

  /** @throws role_not_found */
  async find(organizationId: TenantId, name: string, seesKeys: boolean): Promise<Holders> {
    const role = await this.roles.find(this.database.reader, organizationId, name);
    if (role === null) throw new ServiceError('role_not_found');
    const [members, invitations, apiKeys] = await Promise.all([
      this.counted<HoldingMember>(MEMBERS, organizationId, name),
      this.counted<HoldingInvitation>(INVITATIONS, organizationId, name),
      seesKeys ? this.keysOf(organizationId, role) : null,
    ]);
    return { role, members, invitations, apiKeys };
  }

  private async counted<Item>(
    statement: SelectText,
    organizationId: TenantId,
    role: string,
  ): Promise<Counted<Item>> {
    const found = await rows<Item & { total: number }>(this.database.reader, statement, [
      organizationId,
      role,
      LISTED,
    ]);
    return { count: found[0]?.total ?? 0, first: found };
  }

  private async keysOf(organizationId: TenantId, role: Role): Promise<Counted<HoldingKey>> {
    const usable = await rows<HoldingKey>(this.database.reader, USABLE_KEYS, [organizationId, MAX_KEYS]);
    const holding = usable.filter(({ permissions }) =>
      role.permissions.every((permission) => covers(permissions, permission)),
    );
    return { count: holding.length, first: holding.slice(0, LISTED) };
  }
}
