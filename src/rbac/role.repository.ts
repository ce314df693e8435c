import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../platform/database/index.js';
import type { Reader, Tx } from '../platform/database/index.js';
import type { TenantId } from '../platform/http/index.js';
import { BUILTIN_ROLES } from './builtin-roles.js';
import { RoleEntity } from './role.entity.js';

/** A named set of permissions. */
export interface Role {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly builtin: boolean;
}

/** A place in the list of roles: when the one there was made (microseconds since 1970), and its name. */
export interface RolePosition {
  readonly atMicros: string;
  readonly name: string;
}

@Injectable()
export class RoleRepository {
  /** Gives a new organization its built-in roles. */
  async insertBuiltins(tx: Tx, orgId: string): Promise<void> {
    const builtins = Object.entries(BUILTIN_ROLES).map(([name, permissions]) => ({
      orgId,
      name,
      permissions: [...permissions],
      builtin: true,
    }));
    await tx.insert(RoleEntity, builtins);
  }

  /** Newest first; the built-in ones are as old as the organization. */
  async list(
    handle: Tx | Reader,
    orgId: TenantId,
    limit: number,
    before: RolePosition | null,
  ): Promise<(Role & RolePosition)[]> {
    return await rows(
      handle,
      `SELECT name, permissions, builtin, (extract(epoch FROM created_at) * 1000000)::bigint::text AS "atMicros"
       FROM roles
       WHERE org_id = $1 AND ($3::bigint IS NULL
         OR (created_at, name) < ('epoch'::timestamptz + $3::bigint * interval '1 microsecond', $4))
       ORDER BY created_at DESC, name DESC LIMIT $2`,
      [orgId, limit, before?.atMicros ?? null, before?.name ?? null],
    );
  }

  async find(handle: Tx | Reader, orgId: TenantId, name: string): Promise<Role | null> {
    return await firstRow<Role>(
      handle,
      `SELECT name, permissions, builtin FROM roles WHERE org_id = $1 AND name = $2`,
      [orgId, name],
    );
  }

  /** How many the organization has, the built-in ones included. */
  async count(tx: Tx, orgId: TenantId): Promise<number> {
    return await tx.countBy(RoleEntity, { orgId });
  }

  /** False when the organization has a role with this name. */
  async insert(tx: Tx, orgId: TenantId, name: string, permissions: readonly string[]): Promise<boolean> {
    const inserted = await rows(
      tx,
      `INSERT INTO roles (org_id, name, permissions) VALUES ($1, $2, $3)
       ON CONFLICT (org_id, name) DO NOTHING RETURNING name`,
      [orgId, name, permissions],
    );
    return inserted.length === 1;
  }

  async setPermissions(tx: Tx, orgId: TenantId, name: string, permissions: readonly string[]): Promise<void> {
    await tx.update(RoleEntity, { orgId, name, builtin: false }, { permissions: [...permissions] });
  }

  async delete(tx: Tx, orgId: TenantId, name: string): Promise<void> {
    await tx.delete(RoleEntity, { orgId, name, builtin: false });
  }
}
