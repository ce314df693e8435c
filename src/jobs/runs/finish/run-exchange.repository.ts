import { Injectable } from '@nestjs/common';
import { arrayParameters, prepared, rows } from '../../../platform/database/index.js';
import type { AutoCommit } from '../../../platform/database/index.js';
import { claimDecided, DECIDE } from '../model/claim-statement.js';
import type { ClaimedRun } from '../model/run.js';
import { IN_TURN, IS_IN_TIME, IS_WAITING } from '../model/waiting-run.js';
import type { FreedSlot } from '../model/waiting-run.js';
import { EXCHANGE_ENDED, slotsOfEnded } from './exchange-ended.js';
import { AFTER_END_PARAMETERS, endAttempts, endParameters, writtenColumns } from './finish-statement.js';
import type { AttemptEnd, WrittenEnd } from './finish-statement.js';

/** Ends of attempts, and slots that wait for runs. */
export interface Exchange {
  readonly ends: readonly AttemptEnd[];
  /** For each of `ends`, whether another run of the tenant is claimed after it. */
  readonly keepsSlot: readonly boolean[];
  /** Slots of earlier ends, each for a run of the tenant. */
  readonly slots: readonly FreedSlot[];
}

export interface Exchanged {
  /** The ends that were written. */
  readonly ends: readonly WrittenEnd[];
  readonly claimed: readonly ClaimedRun[];
  /** Runs that found no free slot after all. Each leaves its slot to the next. */
  readonly throttled: readonly FreedSlot[];
}

type Row =
  | (WrittenEnd & { readonly kind: 'ended' })
  | (ClaimedRun & { readonly kind: 'claimed' })
  | (FreedSlot & { readonly kind: 'throttled' });

/** How many more runs than needed the statement looks at, because other workers may claim some of them meanwhile. */
const SPARE = 20;

const WORKER = AFTER_END_PARAMETERS;
const CAP = WORKER + 1;
const SLOTS = CAP + 1;

/**
 * Ends attempts, and gives the slots that they free to the runs of the same tenants that come first among those
 * that wait for a slot of the tenant or of the job: one statement, one commit. Statistics may say that almost no runs
 * wait where thousands do, so each part is materialized before the next one is looked up.
 */
const EXCHANGE = prepared(
  'exchange_runs',
  `
  WITH ${endAttempts('SKIP LOCKED')}, freed AS MATERIALIZED (
    SELECT tenant_id, job_id, count(*)::int AS count FROM ended GROUP BY tenant_id, job_id
  ), offered AS MATERIALIZED (
    SELECT tenant_id, job_id FROM ended WHERE keeps_slot
    UNION ALL
    SELECT * FROM unnest(${arrayParameters(SLOTS, 'uuid', 'text')})
  ), tenant AS (
    SELECT tenant_concurrency.tenant_id, $${CAP} - running + involved.freed AS free, involved.freed, involved.offered
    FROM tenant_concurrency JOIN (
      SELECT tenant_id, sum(freed)::int AS freed, sum(offered)::int AS offered FROM (
        SELECT tenant_id, count AS freed, 0 AS offered FROM freed UNION ALL SELECT tenant_id, 0, 1 FROM offered
      ) AS each GROUP BY tenant_id
    ) involved USING (tenant_id)
    ORDER BY tenant_concurrency.tenant_id FOR UPDATE OF tenant_concurrency
  ), wanted AS MATERIALIZED (
    SELECT tenant_id, least(offered, free) AS slots FROM tenant WHERE least(offered, free) > 0
  ), full_job AS MATERIALIZED (
    SELECT job_concurrency.tenant_id, job_concurrency.job_id
    FROM wanted JOIN job_concurrency USING (tenant_id) LEFT JOIN freed USING (tenant_id, job_id)
      JOIN jobs ON jobs.tenant_id = job_concurrency.tenant_id AND jobs.id = job_concurrency.job_id
    WHERE job_concurrency.running - coalesce(freed.count, 0) >= jobs.max_concurrent_runs
  ), seen AS MATERIALIZED (
    SELECT found.* FROM wanted CROSS JOIN LATERAL (
      SELECT runs.tenant_id, runs.id, runs.priority, runs.due_at FROM runs
      WHERE runs.tenant_id = wanted.tenant_id AND runs.throttled AND NOT runs.throttled_by_job
        AND (runs.tenant_id, runs.job_id) NOT IN (TABLE full_job) AND ${IS_IN_TIME}
      ORDER BY ${IN_TURN} LIMIT wanted.slots + ${SPARE}
    ) found
    UNION ALL
    SELECT found.*
    FROM (SELECT DISTINCT * FROM offered) slot JOIN wanted USING (tenant_id) CROSS JOIN LATERAL (
      SELECT runs.tenant_id, runs.id, runs.priority, runs.due_at FROM runs
      WHERE runs.tenant_id = slot.tenant_id AND runs.job_id = slot.job_id AND runs.throttled AND runs.throttled_by_job
        AND ${IS_IN_TIME}
      ORDER BY ${IN_TURN} LIMIT wanted.slots + ${SPARE}
    ) found
    WHERE (slot.tenant_id, slot.job_id) NOT IN (TABLE full_job)
  ), candidate AS (
    SELECT found.* FROM wanted CROSS JOIN LATERAL (
      SELECT run.* FROM (
        SELECT id FROM seen WHERE seen.tenant_id = wanted.tenant_id ORDER BY ${IN_TURN} OFFSET 0
      ) first CROSS JOIN LATERAL (
        SELECT runs.id, runs.tenant_id, runs.job_id, runs.priority, runs.due_at, runs.status, runs.payload_bytes
        FROM (SELECT * FROM runs WHERE runs.id = first.id OFFSET 0) runs
        WHERE ${IS_WAITING} AND runs.throttled AND runs.due_at <= now() AND ${IS_IN_TIME}
        FOR UPDATE SKIP LOCKED
      ) run
      LIMIT wanted.slots
    ) found
  ), ${DECIDE}, ${claimDecided(`$${WORKER}`)}
  SELECT 'ended' AS kind, ${writtenColumns('slot')}, NULL AS handler, NULL AS "timeoutMs", NULL AS "retryBackoff",
         NULL AS trigger, NULL AS payload, NULL AS attempt, NULL AS failures, NULL AS "maxAttempts",
         NULL AS "scheduledFor", NULL AS "traceParent", NULL AS "dueAt"
  FROM ended JOIN slot USING (tenant_id)
  UNION ALL
  SELECT CASE WHEN claimed.id IS NULL THEN 'throttled' ELSE 'claimed' END, claimed.id, claimed.fence, decision.tenant_id,
         decision.job_id, NULL, NULL, NULL, NULL, claimed.handler, claimed.timeout_ms, claimed.retry_backoff,
         claimed.trigger, claimed.payload::text, claimed.attempt, claimed.failures, claimed.max_attempts,
         claimed.scheduled_for, claimed.trace_parent, claimed.due_at
  FROM decision LEFT JOIN claimed USING (id)`,
);

/** Moves a worker's slots from one run to the next. */
@Injectable()
export class RunExchangeRepository {
  /**
   * Does not wait for a run that another statement has locked: the deletion of a job may hold it for a long time. Its
   * end is then not among those that were written.
   */
  async exchange(
    handle: AutoCommit,
    { ends, keepsSlot, slots }: Exchange,
    workerId: string,
    cap: number,
  ): Promise<Exchanged> {
    const parameters = [...endParameters(ends, (_end, place) => keepsSlot[place] === true), workerId, cap];
    const kept = slots.length === 0 ? slotsOfEnded(ends, keepsSlot) : null;
    const simply =
      kept === null
        ? []
        : await rows<Row>(handle, EXCHANGE_ENDED, [...parameters, [...kept.keys()], [...kept.values()]]);
    const exchanged =
      simply.length > 0
        ? simply
        : await rows<Row>(handle, EXCHANGE, [
            ...parameters,
            slots.map((slot) => slot.tenantId),
            slots.map((slot) => slot.jobId),
          ]);
    return {
      ends: exchanged.filter((row) => row.kind === 'ended'),
      claimed: exchanged.filter((row) => row.kind === 'claimed'),
      throttled: exchanged.filter((row) => row.kind === 'throttled'),
    };
  }
}
