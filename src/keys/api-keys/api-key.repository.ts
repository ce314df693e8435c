import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { AutoCommit, Reader, SelectText, Tx } from '../../platform/database/index.js';
import type { Caller, TenantId } from '../../http/index.js';

/** A key as its organization sees it. The database has only the hash of the secret. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
  /** The id of the user or of the API key that created it. */
  readonly createdBy: string;
  readonly creatorType: 'user' | 'api_key';
  /** The address of that user, or the name of that key; null when it no longer exists. */
  readonly creatorName: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** A key and the organization that it belongs to. */
export interface ApiKeyOfUser extends ApiKey {
  readonly org: { readonly id: string; readonly slug: string; readonly name: string };
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
  key.id, key.name, key.permissions, key.created_by AS "createdBy", key.creator_type AS "creatorType",
  CASE key.creator_type
    WHEN 'user' THEN (SELECT email FROM users WHERE users.id = key.created_by::uuid)
    ELSE (SELECT maker.name FROM api_keys maker WHERE maker.id = key.created_by)
  END AS "creatorName",
  key.created_at AS "createdAt", key.expires_at AS "expiresAt", key.last_used_at AS "lastUsedAt",
  key.revoked_at AS "revokedAt"`;

const OF_CREATOR: SelectText = `SELECT ${COLUMNS}, json_build_object('id', org.id, 'slug', org.slug, 'name', org.name) AS org
  FROM api_keys key JOIN organizations org ON org.id = key.org_id
  WHERE key.created_by = $1 AND key.creator_type = 'user'`;

@Injectable()
export class ApiKeyRepository {
  /**
   * Adds a key. Its time of creation is cut to milliseconds, the precision of cursors.
   * @returns null when the id is taken
   */
  async insertApiKey(tx: Tx, orgId: TenantId, key: NewApiKey): Promise<ApiKey | null> {
    return await firstRow<ApiKey>(
      tx,
      `INSERT INTO api_keys AS key
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
    createdBy: string | null,
    after: ApiKeyPosition | null,
    limit: number,
  ): Promise<ApiKey[]> {
    return await rows<ApiKey>(
      reader,
      `SELECT ${COLUMNS} FROM api_keys key
       WHERE key.org_id = $1 AND ($2::timestamptz IS NULL OR (key.created_at, key.id) < ($2, $3))
         AND ($5::text IS NULL OR key.created_by = $5)
       ORDER BY key.created_at DESC, key.id DESC
       LIMIT $4`,
      [orgId, after?.createdAt ?? null, after?.id ?? null, limit, createdBy],
    );
  }

  /** The keys that a user created, in every organization, newest first, revoked and expired ones among them. */
  async listOfCreator(
    reader: Reader,
    userId: string,
    after: ApiKeyPosition | null,
    limit: number,
  ): Promise<ApiKeyOfUser[]> {
    return await rows<ApiKeyOfUser>(
      reader,
      `${OF_CREATOR} AND ($2::timestamptz IS NULL OR (key.created_at, key.id) < ($2, $3))
       ORDER BY key.created_at DESC, key.id DESC LIMIT $4`,
      [userId, after?.createdAt ?? null, after?.id ?? null, limit],
    );
  }

  async findOfCreator(reader: Reader, userId: string, id: string): Promise<ApiKeyOfUser | null> {
    return await firstRow<ApiKeyOfUser>(reader, `${OF_CREATOR} AND key.id = $2`, [userId, id]);
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
    return await firstRow<ApiKey>(
      handle,
      `SELECT ${COLUMNS} FROM api_keys key WHERE key.org_id = $1 AND key.id = $2`,
      [orgId, id],
    );
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

  /** The keys in force that a user made, with those that these have made, and so on. */
  async listMadeBy(tx: Tx, orgId: TenantId, userId: string): Promise<ApiKey[]> {
    return await rows<ApiKey>(
      tx,
      `WITH RECURSIVE made AS (
         SELECT id FROM api_keys WHERE org_id = $1 AND created_by = $2
         UNION SELECT key.id FROM api_keys key JOIN made ON key.created_by = made.id WHERE key.org_id = $1
       )
       SELECT ${COLUMNS} FROM api_keys key
       WHERE key.org_id = $1 AND key.id IN (SELECT id FROM made) AND key.revoked_at IS NULL
         AND (key.expires_at IS NULL OR key.expires_at > now())
       ORDER BY key.id`,
      [orgId, userId],
    );
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
   * Notes that the keys are in use, unless that was noted within this time, by whichever instance. Writes
   * that one column only, and passes over rows that another writer holds: it can neither undo a revocation
   * nor wait for one.
   */
  async touch(handle: AutoCommit, ids: readonly string[], precisionMs: number): Promise<void> {
    await rows(
      handle,
      `UPDATE api_keys SET last_used_at = now()
       WHERE id IN (
         SELECT id FROM api_keys
         WHERE id = ANY($1) AND revoked_at IS NULL
           AND (last_used_at IS NULL OR last_used_at <= now() - make_interval(secs => $2::float8 / 1000))
         FOR NO KEY UPDATE SKIP LOCKED)`,
      [ids, precisionMs],
    );
  }
}
