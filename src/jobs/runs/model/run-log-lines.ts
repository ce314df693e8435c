import type { LogLevel } from '../../logs/index.js';
import type { AttemptOutcome, RunStatus } from './run-status.js';
import { hasEnded } from './status-sql.js';

/*
 * The lines in a run's log about the run itself, beside those that its handler prints. Each function returns an INSERT
 * for the WITH clause of the statement that changes the run, so that no change is stored without its line.
 */

const LEVELS: Readonly<Record<RunStatus, LogLevel>> = {
  queued: 'info',
  running: 'info',
  retrying: 'warn',
  completed: 'info',
  failed: 'error',
  cancelled: 'warn',
};

const OUTCOME_TEXTS: Readonly<Record<AttemptOutcome, string>> = {
  completed: 'completed',
  failed: 'failed',
  timeout: 'timed out',
  lost: 'was lost',
  interrupted: 'was interrupted',
  cancelled: 'was cancelled',
};

/**
 * In SQL: the line of each run that was accepted.
 *
 * @param runs a WITH query with the columns of `runs`
 * @param begun those of them whose first attempt begins in the same statement, if any: their lines follow
 */
export function logAccepted(runs: string, begun: string | null = null): string {
  const accepted = `
    SELECT tenant_id, id, job_id, NULL::int AS attempt, '${LEVELS.queued}' AS level, 'queued (' || (trigger ->> 'type') || ')'
           || CASE WHEN due_at > now()
                   THEN to_char(due_at AT TIME ZONE 'UTC', '", due at "YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') ELSE '' END AS message
    FROM ${runs}`;
  return `
    INSERT INTO run_logs (tenant_id, run_id, job_id, attempt, level, message)
    SELECT * FROM (${accepted} ${begun === null ? '' : `UNION ALL ${startedLines(begun)}`}) AS line
    ORDER BY id, attempt NULLS FIRST`;
}

/** In SQL: the line of each attempt that begins. @param runs a WITH query with the columns of `runs` */
export function logStarted(runs: string): string {
  return `INSERT INTO run_logs (tenant_id, run_id, job_id, attempt, level, message) ${startedLines(runs)}`;
}

function startedLines(runs: string): string {
  return `SELECT tenant_id, id, job_id, attempt, '${LEVELS.running}', 'attempt ' || attempt || ' started' FROM ${runs}`;
}

/**
 * In SQL: the line of each run that has ended or will be retried.
 *
 * @param runs a WITH query with the columns of `runs`
 * @param attempts a WITH query with the columns of `run_attempts`: the attempts that ended with the runs, if any
 */
export function logEnds(runs: string, attempts = '(SELECT * FROM run_attempts WHERE false)'): string {
  const ofAttempt = `'attempt ' || attempt.number || ' ' || ${caseOf('attempt.outcome', OUTCOME_TEXTS)}
      || coalesce(' with status ' || attempt.status_code, '') || coalesce(': ' || attempt.error, '')`;
  return `
    INSERT INTO run_logs (tenant_id, run_id, job_id, attempt, level, message, ends_run)
    SELECT runs.tenant_id, runs.id, runs.job_id, nullif(runs.attempt, 0), ${caseOf('runs.status', LEVELS)},
           coalesce(${ofAttempt} || '; ', '')
           || CASE WHEN ${hasEnded('runs.status')} THEN 'the run is ' || runs.status
                   ELSE 'retry in ' || greatest(round(extract(epoch FROM runs.due_at - now()) * 1000), 0) || ' ms' END
           || CASE WHEN attempt.number IS NULL THEN coalesce(': ' || runs.error_message, '') ELSE '' END,
           ${hasEnded('runs.status')}
    FROM ${runs} AS runs LEFT JOIN ${attempts} AS attempt ON attempt.run_id = runs.id`;
}

function caseOf(column: string, texts: Readonly<Record<string, string>>): string {
  const cases = Object.entries(texts).map(([value, text]) => `WHEN '${value}' THEN '${text}'`);
  return `CASE ${column} ${cases.join(' ')} END`;
}
