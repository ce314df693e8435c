import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { firstRow, rows } from '../platform/database/index.js';
import type { Reader, Tx } from '../platform/database/index.js';
import type { ListPosition, TenantId } from '../http/index.js';

/** The roles that every organization has from its creation (identity document, section 2). */
export const BUILTIN_ROLES = {
  owner: ['*'],
  admin: ['data:*:*', 'storage:*:*', 'functions:*:*', 'jobs:*:*', 'auth:members:*', 'auth:roles:*'],
  member: ['data:*:read', 'storage:*:read', 'functions:*:invoke'],
} as const satisfies Record<string, readonly string[]>;

@Entity('roles')
export class RoleEntity {
  @PrimaryColumn('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('text')
  name!: string;

  @Column('text', { array: true })
  permissions!: string[];

  @Column('boolean')
  builtin!: boolean;
}

/** A named set of permissions. */
export interface Role {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly builtin: boolean;
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

  /** Newest first. The built-in roles are as old as the organization. */
  async list(
    handle: Tx | Reader,
    orgId: TenantId,
    limit: number,
    before: ListPosition | null,
  ): Promise<(Role & ListPosition)[]> {
    return await rows(
      handle,
      `SELECT name, permissions, builtin,
              (extract(epoch FROM created_at) * 1000000)::bigint::text AS "atMicros", name AS key
       FROM roles
       WHERE org_id = $1 AND ($3::bigint IS NULL
         OR (created_at, name) < ('epoch'::timestamptz + $3::bigint * interval '1 microsecond', $4))
       ORDER BY created_at DESC, name DESC LIMIT $2`,
      [orgId, limit, before?.atMicros ?? null, before?.key ?? null],
    );
  }

  async find(handle: Tx | Reader, orgId: TenantId, name: string): Promise<Role | null> {
    return await firstRow<Role>(
      handle,
      `SELECT name, permissions, builtin FROM roles WHERE org_id = $1 AND name = $2`,
      [orgId, name],
    );
  }

  /** How many roles the organization has, including the built-in ones. */
  async count(tx: Tx, orgId: TenantId): Promise<number> {
    return await tx.countBy(RoleEntity, { orgId });
  }

  /** @returns false when the organization already has a role with this name */
  async insertRole(tx: Tx, orgId: TenantId, name: string, permissions: readonly string[]): Promise<boolean> {
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
