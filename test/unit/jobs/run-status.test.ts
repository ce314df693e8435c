import {
  eventOfFailure,
  FINAL_STATUSES,
  isFinal,
  MAX_LOSSES,
  RUN_STATUSES,
  statusAfter,
  statusesBefore,
  TRANSITIONS,
} from '../../../src/jobs/runs/model/run-status.js';
import type { RunEvent, RunStatus } from '../../../src/jobs/runs/model/run-status.js';
import { canHappen, hasEnded, isRunning, isWaiting } from '../../../src/jobs/runs/model/status-sql.js';

/** The status that each event leads to from each status; a dash where it changes nothing. */
const ROWS: [RunEvent, ...string[]][] = [
  // event                            queued      running      retrying     completed failed cancelled
  ['claimed', 'running', '-', 'running', '-', '-', '-'],
  ['succeeded', '-', 'completed', '-', '-', '-', '-'],
  ['failed for good', '-', 'failed', '-', '-', '-', '-'],
  ['failed with retries left', '-', 'retrying', '-', '-', '-', '-'],
  ['failed without retries left', '-', 'failed', '-', '-', '-', '-'],
  ['worker lost', '-', 'retrying', '-', '-', '-', '-'],
  ['worker lost for the fifth time', '-', 'failed', '-', '-', '-', '-'],
  ['attempt interrupted', '-', 'retrying', '-', '-', '-', '-'],
  ['actor not allowed', '-', 'cancelled', '-', '-', '-', '-'],
  ['cancelled', 'cancelled', 'cancelled', 'cancelled', '-', '-', '-'],
  ['job deleted', 'cancelled', '-', 'cancelled', '-', '-', '-'],
  ['displaced', 'cancelled', 'cancelled', 'cancelled', '-', '-', '-'],
  ['not started in time', 'cancelled', '-', '-', '-', '-', '-'],
];

const CELLS = ROWS.flatMap(([event, ...next]) =>
  RUN_STATUSES.map((from, column): [RunStatus, RunEvent, string] => [from, event, next[column] ?? '']),
);

describe('the table of transitions', () => {
  it.each(CELLS)('a run that is %s and %s becomes %s', (from, event, next) => {
    expect(statusesBefore(event).includes(from) ? statusAfter(event) : '-').toBe(next);
  });

  it('contains each row once and no other row', () => {
    expect(TRANSITIONS).toHaveLength(CELLS.filter(([, , next]) => next !== '-').length);
  });

  it('has one resulting status for each event', () => {
    for (const { event, to } of TRANSITIONS) expect([event, to]).toEqual([event, statusAfter(event)]);
  });

  it('has no transition out of a final status, and at least one out of every other status', () => {
    expect(FINAL_STATUSES).toEqual(['completed', 'failed', 'cancelled']);
    for (const status of RUN_STATUSES)
      expect([status, TRANSITIONS.some(({ from }) => from === status)]).toEqual([status, !isFinal(status)]);
  });

  it('reaches every status from queued', () => {
    const reached = new Set<RunStatus>(['queued']);
    for (const status of reached)
      for (const { from, to } of TRANSITIONS) if (from === status) reached.add(to);
    expect([...reached].sort()).toEqual([...RUN_STATUSES].sort());
  });

  it('fails a run when it loses its worker for the fifth time', () => {
    expect(MAX_LOSSES).toBe(5);
  });
});

describe('the SQL of a status', () => {
  it('guards an update with the statuses in which its events can happen', () => {
    expect(canHappen('cancelled', 'runs.status')).toBe(`runs.status IN ('queued', 'running', 'retrying')`);
    expect(canHappen('job deleted', 'status')).toBe(`status IN ('queued', 'retrying')`);
    expect(canHappen(['succeeded', 'attempt interrupted'], 'status')).toBe(`status = 'running'`);
  });

  it('matches the conditions of the partial indexes literally, so that the planner can use them', () => {
    expect(isWaiting('status')).toBe(`status IN ('queued', 'retrying')`);
    expect(isRunning('status')).toBe(`status = 'running'`);
    expect(hasEnded('status')).toBe(`status IN ('completed', 'failed', 'cancelled')`);
  });
});

describe('a failed attempt', () => {
  it.each([
    ['for good, with retries left', false, 0, 4, 'failed for good', 'failed'],
    ['for good, without retries left', false, 3, 4, 'failed for good', 'failed'],
    ['with all retries left', true, 0, 4, 'failed with retries left', 'retrying'],
    ['with one retry left', true, 2, 4, 'failed with retries left', 'retrying'],
    ['without retries left', true, 3, 4, 'failed without retries left', 'failed'],
    ['of a job without retries', true, 0, 1, 'failed without retries left', 'failed'],
  ] as const)('%s, leads to the right status', (_, isRetryable, failures, maxAttempts, event, status) => {
    expect(eventOfFailure(isRetryable, failures, maxAttempts)).toBe(event);
    expect(statusAfter(event)).toBe(status);
  });
});
