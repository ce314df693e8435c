import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';

/**
 * Of endpoints that are not paused, those that have answered nothing well for $1 days: since a run completed or the job was
 * changed, the first one failed that long ago, and one has failed in the last day.
 */
const FAILING = `
  FROM jobs CROSS JOIN LATERAL (
    SELECT max(at) FILTER (WHERE completed > 0) AS completed_at FROM run_stats
    WHERE run_stats.tenant_id = jobs.tenant_id AND job_id = jobs.id AND minutes = 60
  ) last
  WHERE signing_secret IS NOT NULL AND NOT paused AND updated_at < now() - make_interval(days => $1)
    AND EXISTS (
      SELECT FROM run_stats
      WHERE run_stats.tenant_id = jobs.tenant_id AND job_id = jobs.id AND minutes = 60 AND failed > 0
        AND at > greatest(last.completed_at, updated_at) AND at <= now() - make_interval(days => $1)
    )
    AND EXISTS (
      SELECT FROM run_stats
      WHERE run_stats.tenant_id = jobs.tenant_id AND job_id = jobs.id AND minutes = 60 AND failed > 0
        AND at > greatest(last.completed_at, now() - interval '1 day')
    )`;

/** Endpoints: the jobs whose handler is a URL. */
@Injectable()
export class EndpointRepository {
  /** Whether a job names this secret. */
  async nameSecret(tx: Tx, tenantId: TenantId, path: string): Promise<boolean> {
    const sql = 'SELECT FROM jobs WHERE tenant_id = $1 AND signing_secret = $2 LIMIT 1';
    return (await firstRow(tx, sql, [tenantId, path])) !== null;
  }

  /** The tenants of endpoints that have failed for `days`. */
  async tenantsWithFailing(reader: Reader, days: number): Promise<TenantId[]> {
    const found = await rows<{ tenantId: TenantId }>(
      reader,
      `SELECT DISTINCT jobs.tenant_id AS "tenantId" ${FAILING} ORDER BY 1`,
      [days],
    );
    return found.map(({ tenantId }) => tenantId);
  }

  /** The ids of the tenant's endpoints that have failed for `days`. */
  async failing(tx: Tx, tenantId: TenantId, days: number): Promise<string[]> {
    const found = await rows<{ id: string }>(
      tx,
      `SELECT jobs.id ${FAILING} AND jobs.tenant_id = $2 ORDER BY 1`,
      [days, tenantId],
    );
    return found.map(({ id }) => id);
  }
}
