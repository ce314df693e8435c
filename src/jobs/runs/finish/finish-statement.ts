import { arrayParameters } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';
import type { EndedRun } from '../model/run.js';
import { captureEnds } from '../model/run-events-sql.js';
import { logEnds } from '../model/run-log-lines.js';
import { recordEnded } from '../model/run-stats-sql.js';
import { statusAfter } from '../model/run-status.js';
import type { AttemptOutcome, RunErrorCode, RunEvent } from '../model/run-status.js';
import { canHappen, hasEnded } from '../model/status-sql.js';
import { anyRun, fairShareOrder, IS_WAITING } from '../model/waiting-run.js';
import type { FreedSlot, WakeableRun } from '../model/waiting-run.js';

/** The events with which an attempt ends, unless it is taken from its worker. */
export const ATTEMPT_ENDS = [
  'succeeded',
  'failed for good',
  'failed with retries left',
  'failed without retries left',
  'worker shut down',
] as const satisfies readonly RunEvent[];

/** The end of one attempt, as it is to be written. */
export interface AttemptEnd {
  readonly runId: string;
  readonly tenantId: TenantId;
  readonly fence: number;
  readonly event: (typeof ATTEMPT_ENDS)[number];
  readonly outcome: AttemptOutcome;
  /** False for an attempt that did not fail because of its handler: this worker's shutdown interrupted it. */
  readonly countsAsFailure: boolean;
  readonly statusCode: number | null;
  readonly errorCode: RunErrorCode | null;
  readonly errorMessage: string | null;
  /** JSON text, or null. */
  readonly result: string | null;
  /** If the run is retried, how long to wait first. */
  readonly delayMs: number;
}

export interface WrittenEnd extends EndedRun, FreedSlot, WakeableRun {
  /** Whether runs may be waiting for the slot that this one frees. */
  readonly mayPassOn: boolean;
}

/** In SQL: how long the row of `runs` took, null while it has not ended. */
export const SECONDS = 'extract(epoch FROM completed_at - started_at)::float8 AS seconds';

/**
 * Runs of the tenant that are due up to this many seconds before a run count as ahead of it; earlier ones are done by
 * then.
 */
const QUEUE_SECS = 60;
const MAX_AHEAD = 200;

/**
 * How long a statement may have waited for the lock of a slot count. Its snapshot does not contain runs that were
 * throttled during that time.
 */
const SNAPSHOT_AGE_SECS = 10;

/** The columns of `given` in `endAttempts`, with their types, in the order of the parameters. */
const GIVEN = {
  id: 'text',
  fence: 'int',
  status: 'text',
  outcome: 'text',
  failures: 'int',
  status_code: 'int',
  error_code: 'text',
  error_message: 'text',
  result: 'json',
  delay_ms: 'float8',
  keeps_slot: 'boolean',
} as const;

/**
 * In SQL: `ended`, the runs whose attempts end as given, and `ended_attempt`. Leaves out a run whose claim is no longer
 * the given one. The parameters from `$1` on are those of `endParameters`.
 *
 * Looks up each run by its primary key, checks it and locks it (`held`). A join could read the index of all running runs
 * instead, and so could the update if it repeated the conditions.
 *
 * @param whenLocked for runs that another statement has locked: empty to wait for it, or `SKIP LOCKED` to leave them
 * out
 * @param condition on whether to end any; a statement with one leaves out ends that jobs listen to
 */
export function endAttempts(whenLocked: '' | 'SKIP LOCKED', condition: string | null = null): string {
  return `
  given AS (
    SELECT * FROM unnest(${arrayParameters(1, ...Object.values(GIVEN))}) AS given (${Object.keys(GIVEN).join(', ')})
    WHERE ${condition ?? 'true'}
  ), held AS (
    SELECT given.* FROM given CROSS JOIN LATERAL (
      SELECT FROM (SELECT * FROM runs WHERE runs.id = given.id OFFSET 0) runs
      WHERE runs.fence = given.fence AND ${canHappen(ATTEMPT_ENDS, 'runs.status')}
      FOR NO KEY UPDATE ${whenLocked}
    ) run
  ), ended AS (
    UPDATE runs SET
      status = given.status, worker_id = NULL, failures = runs.failures + given.failures, result = given.result,
      error_code = given.error_code, error_message = given.error_message,
      due_at = CASE WHEN ${hasEnded('given.status')} THEN runs.due_at
                    ELSE now() + make_interval(secs => given.delay_ms / 1000) END,
      completed_at = CASE WHEN ${hasEnded('given.status')} THEN now() END
    FROM held given
    WHERE runs.id = given.id
    RETURNING runs.*, given.outcome, given.status_code, given.keeps_slot
  ), ended_attempt AS (
    UPDATE run_attempts SET
      completed_at = now(), outcome = ended.outcome, status_code = ended.status_code, error = ended.error_message
    FROM ended WHERE run_id = ended.id AND number = ended.attempt
    RETURNING run_attempts.*
  ), logged_end AS (${logEnds('ended', 'ended_attempt')}), recorded_end AS (${recordEnded('ended')})${
    condition === null ? `, captured_end AS (${captureEnds('ended')})` : ''
  }`;
}

/** The number of the first parameter after those of `endParameters`. */
export const AFTER_END_PARAMETERS = Object.keys(GIVEN).length + 1;

/** @param keepsSlot whether another run of the tenant is to be claimed after an end */
export function endParameters(
  ends: readonly AttemptEnd[],
  keepsSlot: (end: AttemptEnd, place: number) => boolean = () => false,
): unknown[] {
  return [
    ends.map((end) => end.runId),
    ends.map((end) => end.fence),
    ends.map((end) => statusAfter(end.event)),
    ends.map((end) => end.outcome),
    ends.map((end) => (end.countsAsFailure ? 1 : 0)),
    ends.map((end) => end.statusCode),
    ends.map((end) => end.errorCode),
    ends.map((end) => end.errorMessage),
    ends.map((end) => end.result),
    ends.map((end) => end.delayMs),
    ends.map(keepsSlot),
  ];
}

/** In SQL: whether a run of the tenant may have been throttled since the statement's snapshot. */
export function wasThrottled(slot: string): string {
  return `coalesce(${slot}.throttled_at > now() - make_interval(secs => ${SNAPSHOT_AGE_SECS}), false)`;
}

/**
 * In SQL: the columns of `WrittenEnd`.
 *
 * @param slot the name of the query with the slot counts of the tenants, `running` and `throttled_at`
 */
export function writtenColumns(slot: string): string {
  const ahead = `${slot}.running + (SELECT count(*) FROM (
    SELECT FROM runs WHERE runs.tenant_id = ended.tenant_id AND ${IS_WAITING} AND NOT runs.throttled_by_job
      AND runs.due_at BETWEEN ended.due_at - make_interval(secs => ${QUEUE_SECS}) AND ended.due_at
    LIMIT ${MAX_AHEAD}) before)`;
  return `
  ended.id, ended.fence, ended.tenant_id AS "tenantId", ended.job_id AS "jobId", ended.status, ${SECONDS},
  CASE WHEN ${hasEnded('ended.status')} THEN 0 ELSE ${fairShareOrder('ended.due_at', ahead)} END AS "fairShareOrder",
  ${wasThrottled(slot)}
    OR ${anyRun('tenant_id = ended.tenant_id AND throttled AND NOT throttled_by_job')}
    OR ${anyRun('tenant_id = ended.tenant_id AND job_id = ended.job_id AND throttled AND throttled_by_job')} AS "mayPassOn"`;
}

/**
 * In SQL: `undeferred`, which forgets that the attempts of these runs were deferred. They must have been locked by an
 * earlier statement: a snapshot from before the lock may not contain the deferral.
 */
export function undefer(runs: string): string {
  return `undeferred AS (
    DELETE FROM deferred_attempts USING ${runs} WHERE deferred_attempts.run_id = ${runs}.id
    RETURNING deferred_attempts.tenant_id
  )`;
}

/**
 * In SQL: `tenant` and `job`, which free the slots of these runs. The following query must read from them. Tenants
 * are locked in a fixed order, since two such statements could otherwise deadlock, and jobs are locked after their
 * tenants.
 *
 * @param undeferred the query of `undefer`, for runs that may have a deferred attempt
 */
export function freeSlots(runs: string, undeferred: string | null = null): string {
  const fewerDeferred =
    undeferred === null
      ? ''
      : `, deferred = deferred - (SELECT count(*) FROM ${undeferred} WHERE tenant_id = locked.tenant_id)::int`;
  return `locked AS (
      SELECT tenant_concurrency.tenant_id, freed.count
      FROM tenant_concurrency JOIN (SELECT tenant_id, count(*)::int AS count FROM ${runs} GROUP BY tenant_id) freed
        USING (tenant_id)
      ORDER BY tenant_concurrency.tenant_id FOR UPDATE OF tenant_concurrency
    ), tenant AS (
      UPDATE tenant_concurrency SET running = running - locked.count${fewerDeferred} FROM locked
      WHERE tenant_concurrency.tenant_id = locked.tenant_id
      RETURNING tenant_concurrency.tenant_id, running - deferred AS running, throttled_at
    ), job AS (
      UPDATE job_concurrency SET running = job_concurrency.running - freed.count
      FROM (SELECT tenant_id, job_id, count(*)::int AS count FROM ${runs} GROUP BY tenant_id, job_id) freed
        JOIN tenant USING (tenant_id)
      WHERE job_concurrency.tenant_id = freed.tenant_id AND job_concurrency.job_id = freed.job_id
    )`;
}
