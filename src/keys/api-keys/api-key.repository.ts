import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { AutoCommit, Reader, Tx } from '../../platform/database/index.js';
import type { Caller, TenantId } from '../../http/index.js';

/** A key as its organization sees it. The database has only the hash of the secret. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
  /** The id of the user or of the API key that created it. */
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** What a request that presents a key needs to know. */
export interface UsableApiKey {
  readonly id: string;
  readonly orgId: string;
  readonly secretHash: Buffer;
  readonly permissions: readonly string[];
  readonly expiresAt: Date | null;
}

export interface NewApiKey {
  readonly id: string;
  readonly name: string;
  readonly secretHash: Buffer;
  readonly permissions: readonly string[];
  readonly expiresAt: Date | null;
  readonly creator: { readonly type: Caller['type']; readonly id: string };
}

/** Where a page of the list ended. */
export interface ApiKeyPosition {
  readonly createdAt: Date;
  readonly id: string;
}

const COLUMNS = `
  id, name, permissions, created_by AS "createdBy", created_at AS "createdAt", expires_at AS "expiresAt",
  last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"`;

@Injectable()
export class ApiKeyRepository {
  /**
   * Adds a key. Its time of creation is cut to milliseconds, the precision of cursors.
   * @returns null when the id is taken
   */
  async insert(tx: Tx, orgId: TenantId, key: NewApiKey): Promise<ApiKey | null> {
    return await firstRow<ApiKey>(
      tx,
      `INSERT INTO api_keys
         (id, org_id, name, secret_hash, permissions, creator_type, created_by, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, date_trunc('milliseconds', now()), $8)
       ON CONFLICT (id) DO NOTHING
       RETURNING ${COLUMNS}`,
      [
        key.id,
        orgId,
        key.name,
        key.secretHash,
        key.permissions,
        key.creator.type,
        key.creator.id,
        key.expiresAt,
      ],
    );
  }

  /** Newest first, revoked and expired ones among them. */
  async list(
    reader: Reader,
    orgId: TenantId,
    after: ApiKeyPosition | null,
    limit: number,
  ): Promise<ApiKey[]> {
    return await rows<ApiKey>(
      reader,
      `SELECT ${COLUMNS} FROM api_keys
       WHERE org_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3))
       ORDER BY created_at DESC, id DESC
       LIMIT $4`,
      [orgId, after?.createdAt ?? null, after?.id ?? null, limit],
    );
  }

  /** How many are neither revoked nor expired. */
  async countUsable(tx: Tx, orgId: TenantId): Promise<number> {
    const counted = await firstRow<{ count: number }>(
      tx,
      `SELECT count(*)::int AS count FROM api_keys
       WHERE org_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
      [orgId],
    );
    return counted?.count ?? 0;
  }

  async find(handle: Tx | Reader, orgId: TenantId, id: string): Promise<ApiKey | null> {
    return await firstRow<ApiKey>(handle, `SELECT ${COLUMNS} FROM api_keys WHERE org_id = $1 AND id = $2`, [
      orgId,
      id,
    ]);
  }

  /** False when the organization has no such key, or it is revoked already. */
  async revoke(tx: Tx, orgId: TenantId, id: string): Promise<boolean> {
    const revoked = await firstRow(
      tx,
      `UPDATE api_keys SET revoked_at = now() WHERE org_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING id`,
      [orgId, id],
    );
    return revoked !== null;
  }

  /** By the id in a credential, before the organization is known. Also null for a revoked key. */
  async findUsable(reader: Reader, id: string): Promise<UsableApiKey | null> {
    return await firstRow<UsableApiKey>(
      reader,
      `SELECT id, org_id AS "orgId", secret_hash AS "secretHash", permissions, expires_at AS "expiresAt"
       FROM api_keys WHERE id = $1 AND revoked_at IS NULL`,
      [id],
    );
  }

  /**
   * Notes that the keys are in use, unless that was noted within the minute, by whichever instance. Writes
   * that one column only, and passes over rows that another writer holds: it can neither undo a revocation
   * nor wait for one.
   */
  async touch(handle: AutoCommit, ids: readonly string[]): Promise<void> {
    await rows(
      handle,
      `UPDATE api_keys SET last_used_at = now()
       WHERE id IN (
         SELECT id FROM api_keys
         WHERE id = ANY($1) AND revoked_at IS NULL
           AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 minute')
         FOR NO KEY UPDATE SKIP LOCKED)`,
      [ids],
    );
  }
}
