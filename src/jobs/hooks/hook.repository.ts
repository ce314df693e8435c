import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';
import type { Verification } from './webhook-verification.js';

export interface Hook {
  /** Where the name is unique: the deployment, or one tenant. */
  readonly scope: string;
  readonly name: string;
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly method: string;
  readonly verification: Verification;
  /** Null for the deployment's secret. */
  readonly secretPath: string | null;
  /** Headers of a call that its run keeps, in lower case. */
  readonly forwardHeaders: readonly string[];
}

@Injectable()
export class HookRepository {
  /** By name only: a call says nothing else about its tenant. */
  async find(handle: Tx | Reader, scope: string, name: string): Promise<Hook | null> {
    return await firstRow<Hook>(
      handle,
      `SELECT scope, name, tenant_id AS "tenantId", job_id AS "jobId", method, verification, secret_path AS "secretPath",
              forward_headers AS "forwardHeaders"
       FROM hooks WHERE scope = $1 AND name = $2`,
      [scope, name],
    );
  }

  async deleteOfJobs(tx: Tx, tenantId: TenantId, jobIds: readonly string[]): Promise<void> {
    await rows(tx, `DELETE FROM hooks WHERE tenant_id = $1 AND job_id = ANY ($2)`, [tenantId, jobIds]);
  }

  /**
   * Adds the hooks whose names are free, in a fixed order so that two registrations cannot deadlock.
   * @returns the names that were added
   */
  async insertHooks(
    tx: Tx,
    tenantId: TenantId,
    scope: string,
    hooks: readonly Omit<Hook, 'tenantId' | 'scope'>[],
  ): Promise<Set<string>> {
    const inserted = await rows<{ name: string }>(
      tx,
      `INSERT INTO hooks (scope, name, tenant_id, job_id, method, verification, secret_path, forward_headers)
       SELECT $3, name, $1, "jobId", method, verification, "secretPath", "forwardHeaders"
       FROM jsonb_to_recordset($2) AS hook (name text, "jobId" text, method text, verification jsonb,
                                        "secretPath" text, "forwardHeaders" text[])
       ORDER BY name
       ON CONFLICT (scope, name) DO NOTHING
       RETURNING name`,
      [tenantId, JSON.stringify(hooks), scope],
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
