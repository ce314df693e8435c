import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { AutoCommit, Reader, Tx } from '../../platform/database/index.js';
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

/** What is known of the calls of a hook. */
export interface HookState {
  readonly name: string;
  readonly method: string;
  readonly refusedAt: Date | null;
  /** The code of the error that the last refused call got. */
  readonly refusedCode: string | null;
}

/** A hook of a job that is registered. */
export type NewHook = Omit<Hook, 'tenantId' | 'scope'> & Pick<HookState, 'refusedAt' | 'refusedCode'>;

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

  /**
   * Notes that a call was refused, unless that was noted of this hook a moment ago or somebody else changes it: anybody may
   * call, and must not wait here with a connection.
   */
  async noteRefusal(
    handle: AutoCommit,
    { scope, name, tenantId, jobId }: Hook,
    { code, everyMs }: { readonly code: string; readonly everyMs: number },
  ): Promise<void> {
    await rows(
      handle,
      `UPDATE hooks SET refused_at = service_now(), refused_code = $5
       WHERE (scope, name) IN (
         SELECT scope, name FROM hooks
         WHERE scope = $1 AND name = $2 AND tenant_id = $3 AND job_id = $4
           AND (refused_at IS NULL OR refused_at <= service_now() - make_interval(secs => $6::float8 / 1000))
         FOR NO KEY UPDATE SKIP LOCKED)`,
      [scope, name, tenantId, jobId, code, everyMs],
    );
  }

  /** In the order of their names; null when the tenant has no such job. */
  async statesOfJob(handle: Reader, tenantId: TenantId, jobId: string): Promise<HookState[] | null> {
    const found = await rows<{ [Key in keyof HookState]: HookState[Key] | null }>(
      handle,
      `SELECT hook.name, hook.method, hook.refused_at AS "refusedAt", hook.refused_code AS "refusedCode"
       FROM jobs AS job LEFT JOIN hooks AS hook ON hook.tenant_id = job.tenant_id AND hook.job_id = job.id
       WHERE job.tenant_id = $1 AND job.id = $2
       ORDER BY hook.name`,
      [tenantId, jobId],
    );
    return found.length === 0 ? null : found.filter((row): row is HookState => row.name !== null);
  }

  /** @returns what is known of the calls of each */
  async deleteOfJobs(
    tx: Tx,
    tenantId: TenantId,
    jobIds: readonly string[],
  ): Promise<(HookState & { readonly jobId: string })[]> {
    return await rows(
      tx,
      `DELETE FROM hooks WHERE tenant_id = $1 AND job_id = ANY ($2)
       RETURNING job_id AS "jobId", name, method, refused_at AS "refusedAt", refused_code AS "refusedCode"`,
      [tenantId, jobIds],
    );
  }

  /**
   * Adds the hooks whose names are free, in a fixed order so that two registrations cannot deadlock.
   * @returns the names that were added
   */
  async insertHooks(
    tx: Tx,
    tenantId: TenantId,
    scope: string,
    hooks: readonly NewHook[],
  ): Promise<Set<string>> {
    const inserted = await rows<{ name: string }>(
      tx,
      `INSERT INTO hooks (scope, name, tenant_id, job_id, method, verification, secret_path, forward_headers,
                          refused_at, refused_code)
       SELECT $3, name, $1, "jobId", method, verification, "secretPath", "forwardHeaders", "refusedAt", "refusedCode"
       FROM jsonb_to_recordset($2) AS hook (name text, "jobId" text, method text, verification jsonb,
                                        "secretPath" text, "forwardHeaders" text[], "refusedAt" timestamptz,
                                        "refusedCode" text)
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
