import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCKS, firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';

/** How long a replaced secret goes on signing, so that receivers have time to take the new one. */
const OVERLAP_HOURS = 24;

export interface SigningSecretRow {
  readonly id: string;
  readonly sealedSecret: Buffer;
  /** When a replaced one signs no more; null for the current one. */
  readonly signsUntil: Date | null;
}

@Injectable()
export class SigningSecretRepository {
  /** Those that sign now, the current one first. */
  async signing(handle: Tx | Reader, tenantId: TenantId): Promise<SigningSecretRow[]> {
    return await rows<SigningSecretRow>(
      handle,
      `SELECT id, sealed_secret AS "sealedSecret", signs_until AS "signsUntil" FROM signing_secrets
       WHERE tenant_id = $1 AND (signs_until IS NULL OR signs_until > now())
       ORDER BY signs_until DESC NULLS FIRST`,
      [tenantId],
    );
  }

  /**
   * Taken before a tenant's secrets are made or replaced. Without it, of those that wait for one current row each
   * keeps the row that it waited for, which the winner may want to prune.
   */
  async lock(tx: Tx, tenantId: TenantId): Promise<void> {
    await rows(tx, 'SELECT pg_advisory_xact_lock($1, hashtext($2))', [
      ADVISORY_LOCKS.signingSecrets,
      tenantId,
    ]);
  }

  /** False when the tenant has a current one. */
  async insert(
    tx: Tx,
    tenantId: TenantId,
    { id, sealedSecret }: Omit<SigningSecretRow, 'signsUntil'>,
  ): Promise<boolean> {
    const inserted = await firstRow(
      tx,
      `INSERT INTO signing_secrets (id, tenant_id, sealed_secret) VALUES ($1, $2, $3)
       ON CONFLICT (tenant_id) WHERE signs_until IS NULL DO NOTHING RETURNING id`,
      [id, tenantId, sealedSecret],
    );
    return inserted !== null;
  }

  /** Ends the current one, if there is one, after the overlap. */
  async endCurrent(tx: Tx, tenantId: TenantId): Promise<void> {
    await rows(
      tx,
      `UPDATE signing_secrets SET signs_until = now() + make_interval(hours => ${OVERLAP_HOURS})
       WHERE tenant_id = $1 AND signs_until IS NULL`,
      [tenantId],
    );
  }

  /** Removes those that sign no more, and of the replaced ones all but the last `kept`. */
  async prune(tx: Tx, tenantId: TenantId, kept: number): Promise<void> {
    await rows(
      tx,
      `DELETE FROM signing_secrets
       WHERE tenant_id = $1 AND signs_until IS NOT NULL
         AND (signs_until <= now() OR id NOT IN (
           SELECT id FROM signing_secrets WHERE tenant_id = $1 AND signs_until IS NOT NULL
           ORDER BY signs_until DESC LIMIT $2))`,
      [tenantId, kept],
    );
  }

  async deleteAll(tx: Tx, tenantId: TenantId): Promise<void> {
    await rows(tx, `DELETE FROM signing_secrets WHERE tenant_id = $1`, [tenantId]);
  }
}
