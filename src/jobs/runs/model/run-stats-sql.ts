import { endedAs, hasEnded } from './status-sql.js';

/*
 * The parts, as INSERTs for a WITH clause, by which each statement that accepts or ends runs adds them to the stats.
 * They insert one row per job into `run_stats_pending` and lock nothing, so that they delay no other statement (decision
 * 0057).
 */

/** In SQL: records runs that are accepted. @param runs a WITH query with the columns of `runs` */
export function recordAccepted(runs: string): string {
  return `INSERT INTO run_stats_pending (tenant_id, job_id, accepted)
    SELECT tenant_id, job_id, count(*) FROM ${runs} GROUP BY tenant_id, job_id`;
}

/**
 * In SQL: records the runs that have ended. Of a retried run, nothing tells any more how long its first attempt waited.
 *
 * @param runs a WITH query with the columns of `runs`
 */
export function recordEnded(runs: string): string {
  return `INSERT INTO run_stats_pending (tenant_id, job_id, completed, failed, cancelled, durations_ms, waits_ms)
    SELECT tenant_id, job_id, count(*) FILTER (WHERE ${endedAs('completed', 'status')}),
           count(*) FILTER (WHERE ${endedAs('failed', 'status')}), count(*) FILTER (WHERE ${endedAs('cancelled', 'status')}),
           array_agg(${milliseconds('started_at', 'completed_at')}) FILTER (WHERE started_at IS NOT NULL),
           array_agg(${milliseconds('due_at', 'started_at')}) FILTER (WHERE started_at IS NOT NULL AND attempt = 1)
    FROM ${runs} WHERE ${hasEnded('status')} GROUP BY tenant_id, job_id`;
}

function milliseconds(from: string, to: string): string {
  return `(extract(epoch FROM ${to} - ${from}) * 1000)::bigint`;
}
