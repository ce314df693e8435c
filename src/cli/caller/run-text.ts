import type { LogLine, Run, RunDetails } from '../../../client/src/index.js';
import { facts, indented, oneLine, table } from '../terminal.js';
import { instantText, timeSpanText } from './time-spans.js';

/** How a run stands, in a line: `run_… completed at attempt 3 of 4, in 812 ms`. */
export function runLine(run: Run): string {
  const calls = run.attempt === 0 ? '' : ` at attempt ${run.attempt} of ${run.max_attempts}`;
  const time = run.duration_ms === null ? '' : `, in ${timeSpanText(run.duration_ms)}`;
  const error = run.error == null ? '' : `: ${run.error.code}: ${run.error.message}`;
  return oneLine(`${run.id} ${run.status}${calls}${time}${error}`);
}

export function runTable(runs: readonly Run[]): string {
  const rows = runs.map((run) => [
    run.id,
    run.job_id,
    run.status,
    run.trigger.type,
    `${run.attempt}/${run.max_attempts}`,
    instantText(run.created_at),
    run.duration_ms === null ? '' : timeSpanText(run.duration_ms),
  ]);
  return table([['RUN', 'JOB', 'STATUS', 'TRIGGER', 'ATTEMPTS', 'CREATED', 'TOOK'], ...rows]);
}

/** Everything about a run. */
export function runDetailsText(run: RunDetails): string {
  const about = facts({
    Run: run.id,
    Job: run.job_id,
    Status: run.status,
    Error: run.error == null ? null : `${run.error.code}: ${run.error.message}`,
    Trigger: run.trigger.type,
    'Scheduled for': instantText(run.scheduled_for),
    Created: instantText(run.created_at),
    Started: instantText(run.started_at),
    Completed: instantText(run.completed_at),
    Took: run.duration_ms === null ? null : timeSpanText(run.duration_ms),
    'Retry of': run.retry_of ?? null,
    Payload: JSON.stringify(run.payload),
    Result: run.result === null ? null : JSON.stringify(run.result),
  });
  const calls = run.attempts.map((attempt) => [
    String(attempt.number),
    attempt.outcome ?? 'running',
    attempt.status_code === null ? '' : String(attempt.status_code),
    instantText(attempt.started_at),
    attempt.duration_ms === null ? '' : timeSpanText(attempt.duration_ms),
    attempt.error ?? '',
  ]);
  if (calls.length === 0) return about;
  return `${about}\n\n${table([['ATTEMPT', 'OUTCOME', 'ANSWER', 'STARTED', 'TOOK', 'ERROR'], ...calls])}`;
}

/** A line of a run's log; of several runs, with the run that it is of. */
export function logText({ at, level, message, job_id, run_id }: LogLine, ofSeveral: boolean): string {
  const where = ofSeveral ? `${job_id} ${run_id} ` : '';
  return indented(`${at} ${level.padEnd(5)} ${where}${message}`);
}
