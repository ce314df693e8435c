import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../../platform/database/index.js';
import type { Reader, SelectText } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';
import { isRunning, isWaiting } from '../model/status-sql.js';

/** Runs that wait and run: of a job, of a tenant, or of some of them. */
export interface QueueLoad {
  /** Runs that are due and wait for an attempt. */
  readonly waiting: number;
  /** Runs that wait for their time: delayed ones, and those to be retried later. */
  readonly delayed: number;
  /** How long the run that has been due longest has waited; null when none is due. */
  readonly oldestWaitMs: number | null;
  readonly running: number;
}

export interface JobLoad extends QueueLoad {
  readonly jobId: string;
  /** Null for a job that was deleted while its runs finish. */
  readonly paused: boolean | null;
  readonly maxConcurrentRuns: number | null;
}

export interface TenantLoad extends QueueLoad {
  readonly tenantId: TenantId;
}

/** Up to so many waiting runs of a tenant are counted one by one for the operator. */
const MAX_COUNTED = 10_000;

/** In SQL: how long a run that was due at this instant has waited, ms; null without a run. */
function waitedMs(dueAt: string): string {
  return `round(extract(epoch FROM now() - ${dueAt}) * 1000)::float8`;
}

const COUNTS = `count(*) FILTER (WHERE due_at <= now())::int AS waiting, count(*) FILTER (WHERE due_at > now())::int AS delayed`;

const OF_JOBS: SelectText = `SELECT job_id AS "jobId",
    coalesce(waiting, 0) AS waiting, coalesce(delayed, 0) AS delayed,
    ${waitedMs('oldest_due_at')} AS "oldestWaitMs", coalesce(running, 0) AS running, jobs.paused,
    jobs.max_concurrent_runs AS "maxConcurrentRuns"
  FROM (
    SELECT job_id, ${COUNTS}, min(due_at) FILTER (WHERE due_at <= now()) AS oldest_due_at
    FROM runs_active WHERE tenant_id = $1 AND ${isWaiting('status')} GROUP BY job_id
  ) waiting
    FULL JOIN (
      SELECT job_id, count(*)::int AS running FROM runs_active WHERE tenant_id = $1 AND ${isRunning('status')} GROUP BY job_id
    ) busy USING (job_id)
    LEFT JOIN jobs ON jobs.tenant_id = $1 AND jobs.id = job_id
  ORDER BY oldest_due_at NULLS LAST, job_id`;

const OF_TENANT: SelectText = 'SELECT running FROM tenant_queues WHERE tenant_id = $1';

/**
 * Looks at one run for each job and priority, and counts the runs of the tenants that are listed. A tenant with very many of
 * them is not counted run by run; for it, `waiting` is the number that its quota counts.
 */
const OF_TENANTS: SelectText = `SELECT load.tenant_id AS "tenantId", load.running,
    CASE WHEN counted.waiting + counted.delayed < ${MAX_COUNTED} THEN counted.waiting
         ELSE greatest(load.queued, counted.waiting) END::int AS waiting,
    counted.delayed, ${waitedMs('load.due_at')} AS "oldestWaitMs"
  FROM (
    SELECT queue.tenant_id, queue.running, queue.queued, oldest.due_at
    FROM tenant_queues queue CROSS JOIN LATERAL (
      SELECT least(min(first_due) FILTER (WHERE first_due <= now()), (
        SELECT min(due_at) FROM runs_active WHERE tenant_id = queue.tenant_id AND blocked = 'concurrency'
      ), (
        SELECT min(due_at) FROM runs_active WHERE tenant_id = queue.tenant_id AND blocked = 'rate'
      )) AS due_at FROM waiting_lanes(queue.tenant_id, queue.due_from)
    ) oldest
    WHERE queue.running + queue.queued + queue.retrying > 0
    ORDER BY oldest.due_at NULLS LAST, queue.tenant_id LIMIT $1
  ) load
    CROSS JOIN LATERAL (SELECT ${COUNTS} FROM (
      SELECT due_at FROM runs_active WHERE tenant_id = load.tenant_id AND ${isWaiting('status')} LIMIT ${MAX_COUNTED}
    ) found) counted
  ORDER BY load.due_at NULLS LAST, load.tenant_id`;

/** What waits and what runs, at this moment. */
@Injectable()
export class QueueStateRepository {
  /** The jobs of a tenant with waiting or running runs, the longest wait first. */
  async ofJobs(reader: Reader, tenantId: TenantId): Promise<JobLoad[]> {
    return await rows<JobLoad>(reader, OF_JOBS, [tenantId]);
  }

  /** How many runs of a tenant run. */
  async runningOf(reader: Reader, tenantId: TenantId): Promise<number> {
    return (await firstRow<{ running: number }>(reader, OF_TENANT, [tenantId]))?.running ?? 0;
  }

  /** The tenants with waiting or running runs, the longest wait first. */
  async ofTenants(reader: Reader, limit: number): Promise<TenantLoad[]> {
    return await rows<TenantLoad>(reader, OF_TENANTS, [limit]);
  }
}
