import {
  eventOf,
  FINAL_STATUSES,
  isFinal,
  MAX_LOSSES,
  nextStatus,
  RUN_STATUSES,
  statusAfter,
  TRANSITIONS,
} from '../../../src/jobs/runs/model/run-status.js';
import type { RunEvent, RunStatus } from '../../../src/jobs/runs/model/run-status.js';

const RETRYABLE = { kind: 'failed', retryable: true } as const;
const FATAL = { kind: 'failed', retryable: false } as const;
const SUCCESS = { kind: 'completed' } as const;

/** Where each event takes a run from each status; a dash where it changes nothing. */
const ROWS: [RunEvent, ...string[]][] = [
  // event                            queued      running      retrying     completed failed cancelled
  ['claimed', 'running', '-', 'running', '-', '-', '-'],
  ['succeeded', '-', 'completed', '-', '-', '-', '-'],
  ['failed for good', '-', 'failed', '-', '-', '-', '-'],
  ['failed with retries left', '-', 'retrying', '-', '-', '-', '-'],
  ['failed without retries left', '-', 'failed', '-', '-', '-', '-'],
  ['worker lost', '-', 'retrying', '-', '-', '-', '-'],
  ['worker lost for the fifth time', '-', 'failed', '-', '-', '-', '-'],
  ['worker shut down', '-', 'retrying', '-', '-', '-', '-'],
  ['cancelled', 'cancelled', 'cancelled', 'cancelled', '-', '-', '-'],
  ['job deleted', 'cancelled', '-', 'cancelled', '-', '-', '-'],
];

const CELLS = ROWS.flatMap(([event, ...next]) =>
  RUN_STATUSES.map((from, column): [RunStatus, RunEvent, string] => [from, event, next[column] ?? '']),
);

describe('the table of transitions', () => {
  it.each(CELLS)('takes a run that is %s and %s to: %s', (from, event, next) => {
    expect(nextStatus(from, event) ?? '-').toBe(next);
  });

  it('has no row twice, and none that is not above', () => {
    expect(TRANSITIONS).toHaveLength(CELLS.filter(([, , next]) => next !== '-').length);
  });

  it('leaves a final status never, and every other one', () => {
    expect(FINAL_STATUSES).toEqual(['completed', 'failed', 'cancelled']);
    for (const status of RUN_STATUSES)
      expect([status, TRANSITIONS.some(({ from }) => from === status)]).toEqual([status, !isFinal(status)]);
  });

  it('lets every status be reached from queued', () => {
    const reached = new Set<RunStatus>(['queued']);
    for (const status of reached)
      for (const { from, to } of TRANSITIONS) if (from === status) reached.add(to);
    expect([...reached].sort()).toEqual([...RUN_STATUSES].sort());
  });

  it('takes the fifth loss for the last', () => {
    expect(MAX_LOSSES).toBe(5);
  });
});

describe('the end of an attempt', () => {
  it.each([
    ['the handler, with success, at once', SUCCESS, 0, 1, 'succeeded', 'completed'],
    ['the handler, with success, on its last attempt', SUCCESS, 3, 4, 'succeeded', 'completed'],
    ['the handler, for good, with retries left', FATAL, 0, 4, 'failed for good', 'failed'],
    ['the handler, for good, without retries left', FATAL, 3, 4, 'failed for good', 'failed'],
    ['the handler, the clock or the network', RETRYABLE, 0, 4, 'failed with retries left', 'retrying'],
    ['these with one retry left', RETRYABLE, 2, 4, 'failed with retries left', 'retrying'],
    ['these without retries left', RETRYABLE, 3, 4, 'failed without retries left', 'failed'],
    ['these of a job without retries', RETRYABLE, 0, 1, 'failed without retries left', 'failed'],
  ] as const)('by %s', (_, verdict, failures, maxAttempts, event, status) => {
    expect(eventOf(verdict, failures, maxAttempts)).toBe(event);
    expect(statusAfter(verdict, failures, maxAttempts)).toBe(status);
  });
});
