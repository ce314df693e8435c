import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { rows } from '../../../platform/database/index.js';
import type { AutoCommit, Reader, SelectText } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';
import { isLate, isWaiting } from '../model/status-sql.js';

/** What a sweep found out about a tenant. */
interface SweptTenant {
  readonly tenantId: TenantId | null;
  /** Whether, in any tenant, nothing was heard of a deferred attempt for its time limit. */
  readonly hasExpired: boolean;
  /** Whether, in any tenant, a run has not started in time. */
  readonly hasLate: boolean;
}

/**
 * Skips in the index from each tenant with waiting runs to the next. The tenants in question have room for a run whose turn
 * it has been, or that has a place under a rate again, for a while: its wake-up is lost, or its worker; or one worker holds runs ahead for which another has slots, so
 * each counts twice. The last row is of no tenant.
 */
const SWEEP: SelectText = `SELECT queue.tenant_id AS "tenantId", false AS "hasExpired", false AS "hasLate"
  FROM (
    WITH RECURSIVE waiting_tenant AS (
      (SELECT tenant_id FROM runs_active WHERE ${isWaiting('status')} AND blocked IS NULL
       ORDER BY tenant_id LIMIT 1)
      UNION ALL
      SELECT (SELECT run.tenant_id FROM runs_active run
              WHERE ${isWaiting('run.status')} AND run.blocked IS NULL AND run.tenant_id > last.tenant_id
              ORDER BY tenant_id LIMIT 1)
      FROM waiting_tenant last WHERE last.tenant_id IS NOT NULL
    )
    SELECT tenant_id FROM waiting_tenant WHERE tenant_id IS NOT NULL
    UNION SELECT tenant_id FROM run_rates WHERE free_at < now() - make_interval(secs => $1::float8 / 1000)
  ) waiting JOIN tenant_queues queue USING (tenant_id)
    CROSS JOIN (
      SELECT coalesce(2 * sum(tenant_slots), $2) AS of_tenant FROM workers
      WHERE heartbeat_at > now() - make_interval(secs => $3::float8 / 1000)
    ) slots
    CROSS JOIN (SELECT now() - make_interval(secs => $1::float8 / 1000) AS instant) overdue
  WHERE queue.queued + queue.retrying > 0 AND queue.running < $2 AND queue.running - queue.deferred < slots.of_tenant
    AND (EXISTS (SELECT FROM runs_in_turn(queue.tenant_id, queue.due_from, overdue.instant, 1))
      OR EXISTS (SELECT FROM run_rates WHERE tenant_id = queue.tenant_id AND free_at < overdue.instant))
  UNION ALL
  SELECT NULL, EXISTS (SELECT FROM deferred_attempts WHERE expires_at < now()),
    EXISTS (SELECT FROM runs_active WHERE ${isLate()})`;

/** Read in one snapshot, so the comparison needs no lock. */
const WRONG_COUNTS: SelectText = `SELECT tenant_id AS "tenantId" FROM tenant_queues_with_wrong_counts`;

/** Tenants whose runs wait although workers have room for them. */
@Injectable()
export class WaitingTenantRepository {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** The tenants with room for a run that has been due for more than `overdueMs`. */
  async sweep(reader: Reader): Promise<Omit<SweptTenant, 'tenantId'> & { tenantIds: TenantId[] }> {
    const { timing, jobs } = this.config;
    const found = await rows<SweptTenant>(reader, SWEEP, [
      timing.runs.overdueMs,
      jobs.maxOrgConcurrentRuns,
      timing.workers.deadAfterMs,
    ]);
    return {
      tenantIds: found.flatMap(({ tenantId }) => tenantId ?? []),
      hasExpired: found.some(({ hasExpired }) => hasExpired),
      hasLate: found.some(({ hasLate }) => hasLate),
    };
  }

  /**
   * Sets the counts of tenants to what their runs say. They differ only when something other than the program changed runs.
   * @returns the tenants whose counts were wrong
   */
  async correctCounts(handle: AutoCommit): Promise<TenantId[]> {
    const wrong = await rows<{ tenantId: TenantId }>(handle, WRONG_COUNTS);
    const corrected: TenantId[] = [];
    for (const { tenantId } of wrong) {
      const [row] = await rows<{ corrected: boolean }>(handle, 'SELECT recount_runs($1) AS corrected', [
        tenantId,
      ]);
      if (row?.corrected === true) corrected.push(tenantId);
    }
    return corrected;
  }
}
