import { Injectable } from '@nestjs/common';
import { rows } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { isUnclaimed } from '../model/status-sql.js';

/** How many rows the count of one tenant is spread over: about as many as an instance has connections. */
const SHARDS = 16;

/**
 * In SQL: adds the rows of a query, one per tenant with `tenant_id`, `runs` and `payload_bytes`, to the counts. Each
 * connection uses one shard, so concurrent statements rarely wait for each other; those that share a shard update the
 * tenants in the same order.
 */
export function addWaiting(query: string): string {
  return `
    INSERT INTO waiting_counts AS counted (tenant_id, shard, runs, payload_bytes)
    SELECT tenant_id, pg_backend_pid() % ${SHARDS}, runs, payload_bytes FROM (${query}) AS more ORDER BY tenant_id
    ON CONFLICT (tenant_id, shard) DO UPDATE SET
      runs = counted.runs + EXCLUDED.runs, payload_bytes = counted.payload_bytes + EXCLUDED.payload_bytes`;
}

/** In SQL: a query that returns one row, `runs` and `bytes`: what of a tenant waits for its first attempt. */
export function waitingOf(tenantId: string): string {
  return `
    SELECT coalesce(sum(counted.runs), 0)::bigint - coalesce(min(slot.started_runs), 0) AS runs,
           coalesce(sum(counted.payload_bytes), 0)::bigint - coalesce(min(slot.started_bytes), 0) AS bytes
    FROM waiting_counts counted LEFT JOIN tenant_concurrency slot ON slot.tenant_id = counted.tenant_id
    WHERE counted.tenant_id = ${tenantId}`;
}

/** Reads both sides in one snapshot. A statement that adds a run also counts it, so the comparison needs no lock. */
const CORRECT = `
  WITH present AS (
    SELECT tenant_id, count(*) AS runs, sum(payload_bytes)::bigint AS bytes
    FROM runs WHERE ${isUnclaimed('status')} GROUP BY tenant_id
  ), counted AS (
    SELECT tenant_id, sum(runs)::bigint AS runs, sum(bytes)::bigint AS bytes FROM (
      SELECT tenant_id, runs, payload_bytes AS bytes FROM waiting_counts
      UNION ALL SELECT tenant_id, -started_runs, -started_bytes FROM tenant_concurrency
    ) AS parts GROUP BY tenant_id
  )
  ${addWaiting(`
    SELECT tenant_id, coalesce(present.runs, 0) - coalesce(counted.runs, 0) AS runs,
           coalesce(present.bytes, 0) - coalesce(counted.bytes, 0) AS payload_bytes
    FROM present FULL JOIN counted USING (tenant_id)
    WHERE coalesce(present.runs, 0) <> coalesce(counted.runs, 0)
       OR coalesce(present.bytes, 0) <> coalesce(counted.bytes, 0)`)}
  RETURNING tenant_id AS "tenantId"`;

/**
 * Counts, per tenant, what waits for its first attempt. The statements that accept, claim or cancel runs update it.
 */
@Injectable()
export class WaitingCountRepository {
  /**
   * Sets the counts to what the runs table holds. They differ only when something other than this release changed
   * runs.
   * @returns the tenants whose counts were wrong
   */
  async correct(tx: Tx): Promise<string[]> {
    // Only one correction at a time, or two would both add the same difference. Other statements may still change the
    // counts.
    await rows(tx, 'LOCK TABLE waiting_counts IN SHARE UPDATE EXCLUSIVE MODE');
    return (await rows<{ tenantId: string }>(tx, CORRECT)).map(({ tenantId }) => tenantId);
  }
}
