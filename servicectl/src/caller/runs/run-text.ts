import type { LogLevel, LogLine, Run, RunDetails, RunStatus } from '../../../../client/src/index.js';
import { jsonTextOf } from '../../../../client/src/index.js';
import { facts, table } from '../../table.js';
import type { Cell } from '../../table.js';
import { indented, oneLine } from '../../terminal.js';
import type { Colour, Terminal } from '../../terminal.js';
import { membersOf } from '../json-text.js';
import { timeSpanText } from '../time-spans.js';

const STATUS_COLOURS: Readonly<Record<RunStatus, Colour | null>> = {
  queued: null,
  running: 'cyan',
  retrying: 'yellow',
  completed: 'green',
  failed: 'red',
  cancelled: 'dim',
};

const OUTCOME_COLOURS: Readonly<Record<string, Colour>> = {
  completed: 'green',
  failed: 'red',
  timeout: 'red',
  lost: 'yellow',
  interrupted: 'yellow',
  cancelled: 'dim',
};

const LEVEL_COLOURS: Readonly<Record<LogLevel, Colour>> = {
  debug: 'dim',
  info: 'green',
  warn: 'yellow',
  error: 'red',
};

export function statusCell(status: RunStatus): Cell {
  const colour = STATUS_COLOURS[status];
  return colour === null ? status : { text: status, colour };
}

/** How a run stands, in a line: `run_… completed at attempt 3 of 4, in 812 ms`. */
export function runLine(terminal: Terminal, run: Run): string {
  const colour = STATUS_COLOURS[run.status];
  const status = colour === null ? run.status : terminal.paint(colour, run.status);
  const calls = run.attempt === 0 ? '' : ` at attempt ${run.attempt} of ${run.max_attempts}`;
  const due = isDueLater(run) ? `, due ${dueText(terminal, run)}` : '';
  const time = run.duration_ms === null ? '' : `, in ${timeSpanText(run.duration_ms)}`;
  const error = run.error == null ? '' : `: ${oneLine(`${run.error.code}: ${run.error.message}`)}`;
  return `${run.id} ${status}${calls}${due}${time}${error}`;
}

export function runTable(terminal: Terminal, runs: readonly Run[]): string {
  const hasDue = runs.some(isDueLater);
  const rows = runs.map((run) => [
    run.id,
    run.job_id,
    statusCell(run.status),
    run.trigger.type,
    `${run.attempt}/${run.max_attempts}`,
    terminal.instant(run.created_at),
    ...(hasDue ? [isDueLater(run) ? terminal.instant(run.due_at) : ''] : []),
    run.duration_ms === null ? '' : timeSpanText(run.duration_ms),
  ]);
  return table(
    terminal,
    [
      { heading: 'RUN' },
      { heading: 'JOB', shortens: true },
      { heading: 'STATUS' },
      { heading: 'TRIGGER', leftOut: 1 },
      { heading: 'ATTEMPTS', leftOut: 2 },
      { heading: 'CREATED', leftOut: 4 },
      ...(hasDue ? [{ heading: 'DUE' }] : []),
      { heading: 'TOOK', leftOut: 3 },
    ],
    rows,
  );
}

/** Payload or result as it was written, on one line; null for none. */
export function writtenJson(run: RunDetails, member: 'payload' | 'result'): string | null {
  if (run[member] === null) return null;
  return membersOf(jsonTextOf(run) ?? '{}').get(member) ?? JSON.stringify(run[member]);
}

/** Everything about a run. */
export function runDetailsText(terminal: Terminal, run: RunDetails): string {
  const about = facts(terminal, {
    Run: run.id,
    Job: run.job_id,
    Status: statusCell(run.status),
    Error: run.error == null ? null : { text: `${run.error.code}: ${run.error.message}`, colour: 'red' },
    Trigger: run.trigger.type,
    'Scheduled for': terminal.instant(run.scheduled_for),
    Created: terminal.instant(run.created_at),
    Due: isDueLater(run) ? dueText(terminal, run) : null,
    Started: terminal.instant(run.started_at),
    Completed: terminal.instant(run.completed_at),
    Took: run.duration_ms === null ? null : timeSpanText(run.duration_ms),
    'Retry of': run.retry_of ?? null,
    Parent: run.parent_run_id ?? null,
    Payload: writtenJson(run, 'payload'),
    Result: writtenJson(run, 'result'),
  });
  if (run.attempts.length === 0) return about;
  const calls = run.attempts.map((attempt) => [
    String(attempt.number),
    outcomeCell(attempt.outcome ?? 'running'),
    attempt.status_code === null ? '' : String(attempt.status_code),
    terminal.instant(attempt.started_at),
    attempt.duration_ms === null ? '' : timeSpanText(attempt.duration_ms),
    attempt.error ?? '',
  ]);
  const columns = [
    { heading: 'ATTEMPT' },
    { heading: 'OUTCOME' },
    { heading: 'ANSWER' },
    { heading: 'STARTED' },
    { heading: 'TOOK' },
    { heading: 'ERROR', shortens: true as const },
  ];
  return `${about}\n\n${table(terminal, columns, calls)}`;
}

/** A line of a run's log; of several runs, with the run that it is of. */
export function logText(
  terminal: Terminal,
  { at, level, message, job_id, run_id }: LogLine,
  ofSeveral: boolean,
): string {
  const when = terminal.paint('dim', terminal.lineInstant(at));
  const where = ofSeveral ? `${job_id} ${terminal.paint('dim', run_id)} ` : '';
  return `${when} ${terminal.paint(LEVEL_COLOURS[level], level.padEnd(5))} ${where}${indented(message)}`;
}

function outcomeCell(outcome: string): Cell {
  const colour = OUTCOME_COLOURS[outcome];
  return colour === undefined ? outcome : { text: outcome, colour };
}

/** A run without a delay is due when it is made. */
function isDueLater({ due_at, created_at }: Run): boolean {
  return due_at !== null && due_at > created_at;
}

/** `2026-11-21 18:07:46 (in 10 min 0 s)` */
function dueText(terminal: Terminal, { due_at }: Run): string {
  const inMs = Date.parse(due_at ?? '') - Date.now();
  return `${terminal.instant(due_at)}${inMs > 0 ? ` (in ${timeSpanText(inMs)})` : ''}`;
}
