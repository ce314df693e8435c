import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
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
  /** Whether a refused call was noted a moment ago. */
  readonly isRefusalNoted: boolean;
}

/** What is known of the calls of a hook. */
export interface HookState {
  readonly name: string;
  readonly method: string;
  readonly refusedAt: Date | null;
  /** The code of the error that the last refused call got. */
  readonly refusedCode: string | null;
}

/** A hook with a refused call. */
export type RefusedHook = Pick<Hook, 'jobId'> & Pick<HookState, 'name' | 'refusedAt' | 'refusedCode'>;

/** A hook of a job that is registered. */
export type NewHook = Omit<Hook, 'tenantId' | 'scope' | 'isRefusalNoted'> &
  Pick<HookState, 'refusedAt' | 'refusedCode'>;

/** In SQL: whether a refused call was noted in the last milliseconds, the parameter that is given. */
function isRefusalNoted(parameter: string): string {
  return `coalesce(refused_at > service_now() - make_interval(secs => ${parameter}::float8 / 1000), false)`;
}

@Injectable()
export class HookRepository {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** By name only: a call says nothing else about its tenant. */
  async find(handle: Tx | Reader, scope: string, name: string): Promise<Hook | null> {
    return await firstRow<Hook>(
      handle,
      `SELECT scope, name, tenant_id AS "tenantId", job_id AS "jobId", method, verification, secret_path AS "secretPath",
              forward_headers AS "forwardHeaders", ${isRefusalNoted('$3')} AS "isRefusalNoted"
       FROM hooks WHERE scope = $1 AND name = $2`,
      [scope, name, this.config.timing.hooks.refusalPrecisionMs],
    );
  }

  /** Notes that a call was refused, unless that was done a moment ago, or somebody else changes the hook. */
  async noteRefusal(handle: AutoCommit, { scope, name, tenantId, jobId }: Hook, code: string): Promise<void> {
    await rows(
      handle,
      `UPDATE hooks SET refused_at = service_now(), refused_code = $5
       WHERE (scope, name) IN (
         SELECT scope, name FROM hooks
         WHERE scope = $1 AND name = $2 AND tenant_id = $3 AND job_id = $4 AND NOT ${isRefusalNoted('$6')}
         FOR NO KEY UPDATE SKIP LOCKED)`,
      [scope, name, tenantId, jobId, code, this.config.timing.hooks.refusalPrecisionMs],
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

  /** @returns those of which a refused call is noted */
  async deleteOfJobs(tx: Tx, tenantId: TenantId, jobIds: readonly string[]): Promise<RefusedHook[]> {
    return await rows<RefusedHook>(
      tx,
      `WITH deleted AS (DELETE FROM hooks WHERE tenant_id = $1 AND job_id = ANY ($2) RETURNING *)
       SELECT job_id AS "jobId", name, refused_at AS "refusedAt", refused_code AS "refusedCode"
       FROM deleted WHERE refused_at IS NOT NULL`,
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
