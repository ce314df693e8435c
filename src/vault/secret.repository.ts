import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCKS, firstRow, rows } from '../platform/database/index.js';
import type { Reader, Tx } from '../platform/database/index.js';
import type { TenantId } from '../http/index.js';

/** A secret as its tenant sees it, without its value. */
export interface Secret {
  readonly id: string;
  readonly path: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface SealedSecret {
  readonly id: string;
  readonly sealedValue: Buffer;
}

const COLUMNS = `id, path, created_at AS "createdAt", updated_at AS "updatedAt"`;

@Injectable()
export class SecretRepository {
  /** Newest first; ids are ordered by time. */
  async list(
    handle: Tx | Reader,
    tenantId: TenantId,
    limit: number,
    before: string | null,
  ): Promise<Secret[]> {
    return await rows<Secret>(
      handle,
      `SELECT ${COLUMNS} FROM vault_secrets
       WHERE tenant_id = $1 AND ($3::uuid IS NULL OR id < $3)
       ORDER BY id DESC LIMIT $2`,
      [tenantId, limit, before],
    );
  }

  async find(handle: Tx | Reader, tenantId: TenantId, path: string): Promise<Secret | null> {
    return await firstRow<Secret>(
      handle,
      `SELECT ${COLUMNS} FROM vault_secrets WHERE tenant_id = $1 AND path = $2`,
      [tenantId, path],
    );
  }

  async findSealed(handle: Tx | Reader, tenantId: TenantId, path: string): Promise<SealedSecret | null> {
    return await firstRow<SealedSecret>(
      handle,
      `SELECT id, sealed_value AS "sealedValue" FROM vault_secrets WHERE tenant_id = $1 AND path = $2`,
      [tenantId, path],
    );
  }

  /** Locks the addition of secrets until the transaction ends, so that concurrent additions are counted in turn. */
  async lockTenant(tx: Tx, tenantId: TenantId): Promise<void> {
    await rows(tx, 'SELECT pg_advisory_xact_lock($1, hashtext($2))', [ADVISORY_LOCKS.vaultSecrets, tenantId]);
  }

  async count(tx: Tx, tenantId: TenantId): Promise<number> {
    const sql = 'SELECT count(*)::int AS count FROM vault_secrets WHERE tenant_id = $1';
    return (await firstRow<{ count: number }>(tx, sql, [tenantId]))?.count ?? 0;
  }

  /** The caller holds the lock of `lockTenant`, and has found no secret with this path. */
  async insertSecret(
    tx: Tx,
    tenantId: TenantId,
    path: string,
    { id, sealedValue }: SealedSecret,
  ): Promise<void> {
    await rows(tx, `INSERT INTO vault_secrets (id, tenant_id, path, sealed_value) VALUES ($1, $2, $3, $4)`, [
      id,
      tenantId,
      path,
      sealedValue,
    ]);
  }

  /** Locks the secret until the transaction ends, for a change or a deletion. Returns its id, or null. */
  async lock(tx: Tx, tenantId: TenantId, path: string): Promise<string | null> {
    const found = await firstRow<{ id: string }>(
      tx,
      `SELECT id FROM vault_secrets WHERE tenant_id = $1 AND path = $2 FOR UPDATE`,
      [tenantId, path],
    );
    return found?.id ?? null;
  }

  async replaceValue(tx: Tx, tenantId: TenantId, { id, sealedValue }: SealedSecret): Promise<void> {
    await rows(
      tx,
      `UPDATE vault_secrets SET sealed_value = $3, updated_at = now() WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id, sealedValue],
    );
  }

  async delete(tx: Tx, tenantId: TenantId, id: string): Promise<void> {
    await rows(tx, `DELETE FROM vault_secrets WHERE tenant_id = $1 AND id = $2`, [tenantId, id]);
  }

  async deleteAll(tx: Tx, tenantId: TenantId): Promise<void> {
    await rows(tx, `DELETE FROM vault_secrets WHERE tenant_id = $1`, [tenantId]);
  }

  /** Keeps these secrets from being deleted until the transaction ends. The fixed order avoids deadlocks. */
  async lockAgainstDeletion(tx: Tx, tenantId: TenantId, paths: readonly string[]): Promise<void> {
    await rows(
      tx,
      `SELECT FROM vault_secrets WHERE tenant_id = $1 AND path = ANY ($2) ORDER BY path FOR SHARE`,
      [tenantId, paths],
    );
  }
}
