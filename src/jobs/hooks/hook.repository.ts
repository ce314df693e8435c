import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../platform/http/index.js';
import type { Verification } from './webhook-verification.js';

export interface Hook {
  readonly name: string;
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly method: string;
  readonly verification: Verification;
  /** Null where the deployment's secret serves. */
  readonly secretPath: string | null;
}

@Injectable()
export class HookRepository {
  /** By its name alone: whoever calls a hook says nothing of its tenant. */
  async find(handle: Tx | Reader, name: string): Promise<Hook | null> {
    return await firstRow<Hook>(
      handle,
      `SELECT name, tenant_id AS "tenantId", job_id AS "jobId", method, verification, secret_path AS "secretPath"
       FROM hooks WHERE name = $1`,
      [name],
    );
  }

  async deleteOfJobs(tx: Tx, tenantId: TenantId, jobIds: readonly string[]): Promise<void> {
    await rows(tx, `DELETE FROM hooks WHERE tenant_id = $1 AND job_id = ANY ($2)`, [tenantId, jobIds]);
  }

  /**
   * Adds those whose names are free, and tells which. In one order, so that two registrations never wait for
   * each other.
   */
  async insert(tx: Tx, tenantId: TenantId, hooks: readonly Omit<Hook, 'tenantId'>[]): Promise<Set<string>> {
    const inserted = await rows<{ name: string }>(
      tx,
      `INSERT INTO hooks (name, tenant_id, job_id, method, verification, secret_path)
       SELECT name, $1, "jobId", method, verification, "secretPath"
       FROM jsonb_to_recordset($2) AS hook (name text, "jobId" text, method text, verification jsonb, "secretPath" text)
       ORDER BY name
       ON CONFLICT (name) DO NOTHING
       RETURNING name`,
      [tenantId, JSON.stringify(hooks)],
    );
    return new Set(inserted.map(({ name }) => name));
  }

  async nameSecret(tx: Tx, tenantId: TenantId, secretPath: string): Promise<boolean> {
    const hook = await firstRow(
      tx,
      `SELECT name FROM hooks WHERE tenant_id = $1 AND secret_path = $2 LIMIT 1`,
      [tenantId, secretPath],
    );
    return hook !== null;
  }
}
