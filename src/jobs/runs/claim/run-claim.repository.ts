import { Injectable } from '@nestjs/common';
import { arrayParameters, firstRow, prepared, rows } from '../../../platform/database/index.js';
import type { AutoCommit, Reader, SelectText } from '../../../platform/database/index.js';
import type { ClaimedRun } from '../model/run.js';
import { IS_IN_TIME, IS_WAITING } from '../model/waiting-run.js';
import type { FreedSlot, RunAtFence } from '../model/waiting-run.js';
import { claimDecided, CLAIMED_COLUMNS, DECIDE, NONE_FREED } from '../model/claim-statement.js';

/** The result of a claim. */
export interface Claim extends FreedSlot {
  /** Null when the run found no free slot and was throttled. */
  readonly run: ClaimedRun | null;
  /** Whether the tenant had a free slot. If so and `run` is null, the job had none. */
  readonly tenantHadFreeSlot: boolean;
}

type ClaimRow = Omit<Claim, 'run'> & { readonly candidateId: string } & (ClaimedRun | { readonly id: null });

/**
 * Claims waiting runs for one attempt each, within the concurrency slots of their tenants and jobs, in the order of
 * their turn.
 *
 * Looks up each run by its primary key, one at a time. Otherwise, when the statistics say that few runs wait, the
 * planner could expect the index of waiting runs to be shorter than the list of ids and read it to its end.
 */
const CLAIM = prepared(
  'claim_runs',
  `
  WITH named AS MATERIALIZED (
    SELECT runs.id, runs.tenant_id FROM (SELECT DISTINCT unnest(${arrayParameters(3, 'text')}) AS id) given CROSS JOIN LATERAL (
      SELECT runs.* FROM runs WHERE runs.id = given.id OFFSET 0
    ) runs WHERE ${IS_WAITING} AND runs.due_at <= now() AND ${IS_IN_TIME}
  ), ${NONE_FREED}, tenant AS (
    SELECT tenant_id, $2 - running AS free, 0 AS freed FROM tenant_concurrency
    WHERE tenant_id IN (SELECT tenant_id FROM named)
    ORDER BY tenant_id FOR UPDATE
  ), of_locked_tenant AS MATERIALIZED (
    SELECT named.id FROM named JOIN tenant USING (tenant_id)
  ), candidate AS (
    SELECT found.* FROM of_locked_tenant CROSS JOIN LATERAL (
      SELECT runs.id, runs.tenant_id, runs.job_id, runs.priority, runs.due_at, runs.status, runs.payload_bytes
      FROM runs
      WHERE runs.id = of_locked_tenant.id AND ${IS_WAITING} AND runs.due_at <= now() AND ${IS_IN_TIME}
      LIMIT 1 FOR UPDATE SKIP LOCKED
    ) found
  ), ${DECIDE}, ${claimDecided('$1')}
  SELECT decision.id AS "candidateId", decision.tenant_id AS "tenantId", decision.job_id AS "jobId",
         decision.tenant_has_slot AS "tenantHadFreeSlot", ${CLAIMED_COLUMNS}
  FROM decision LEFT JOIN claimed USING (id)`,
);

const FIND_CLAIMED: SelectText = `SELECT claimed.tenant_id AS "tenantId", claimed.job_id AS "jobId", ${CLAIMED_COLUMNS}
  FROM runs AS claimed WHERE claimed.id = $1 AND claimed.fence = $2 AND claimed.worker_id = $3`;

/** Claims runs by their ids. */
@Injectable()
export class RunClaimRepository {
  /**
   * Claims these runs. Each id is given once.
   * @returns for each run, the result; null when it was claimed elsewhere, has ended or is not due
   */
  async claim(
    handle: AutoCommit,
    runIds: readonly string[],
    workerId: string,
    cap: number,
  ): Promise<(Claim | null)[]> {
    const found = await rows<ClaimRow>(handle, CLAIM, [workerId, cap, runIds]);
    const claims = new Map(found.map((row) => [row.candidateId, claimOf(row)]));
    return runIds.map((id) => claims.get(id) ?? null);
  }

  /** Finds a run that the worker has claimed with this fence. */
  async findClaimed(reader: Reader, { id, fence }: RunAtFence, workerId: string): Promise<ClaimedRun | null> {
    return await firstRow<ClaimedRun>(reader, FIND_CLAIMED, [id, fence, workerId]);
  }
}

function claimOf(row: ClaimRow): Claim {
  const { tenantId, jobId, tenantHadFreeSlot } = row;
  return { tenantId, jobId, tenantHadFreeSlot, run: row.id === null ? null : row };
}
