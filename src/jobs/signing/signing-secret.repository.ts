import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { ADVISORY_LOCKS, firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';

export interface SigningSecretRow {
  readonly id: string;
  readonly sealedSecret: Buffer;
  /** When a replaced secret stops signing; null for the current one. */
  readonly signsUntil: Date | null;
}

@Injectable()
export class SigningSecretRepository {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** The secrets that sign now, the current one first. */
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
   * Lock this before creating or replacing a tenant's secrets. Otherwise, each transaction that waits for the current row
   * keeps that row, which the first one may want to prune.
   */
  async lock(tx: Tx, tenantId: TenantId): Promise<void> {
    await rows(tx, 'SELECT pg_advisory_xact_lock($1, hashtext($2))', [
      ADVISORY_LOCKS.signingSecrets,
      tenantId,
    ]);
  }

  /** False if the tenant already has a current secret. */
  async insertSigningSecret(
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

  /** Lets the current secret, if any, expire after the overlap. */
  async endCurrent(tx: Tx, tenantId: TenantId): Promise<void> {
    await rows(
      tx,
      `UPDATE signing_secrets SET signs_until = now() + make_interval(hours => $2)
       WHERE tenant_id = $1 AND signs_until IS NULL`,
      [tenantId, this.config.timing.lives.replacedSigningSecretHours],
    );
  }

  /** Removes the secrets that no longer sign, and all replaced ones except the last `kept`. */
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
