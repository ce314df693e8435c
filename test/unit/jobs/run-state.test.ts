import { FINAL_STATUSES, MAX_LOSSES, statusAfter } from '../../../src/jobs/runs/run-state.js';

const RETRYABLE = { kind: 'failed', retryable: true } as const;
const FATAL = { kind: 'failed', retryable: false } as const;
const SUCCESS = { kind: 'completed' } as const;

describe('the status after an attempt', () => {
  it.each([
    ['the handler, with success, at once', SUCCESS, 0, 1, 'completed'],
    ['the handler, with success, on its last attempt', SUCCESS, 3, 4, 'completed'],
    ['the handler, for good, with retries left', FATAL, 0, 4, 'failed'],
    ['the handler, for good, without retries left', FATAL, 3, 4, 'failed'],
    ['the handler, the clock or the network, with retries left', RETRYABLE, 0, 4, 'retrying'],
    ['the handler, the clock or the network, with one retry left', RETRYABLE, 2, 4, 'retrying'],
    ['the handler, the clock or the network, without retries left', RETRYABLE, 3, 4, 'failed'],
    ['the handler, the clock or the network, of a job without retries', RETRYABLE, 0, 1, 'failed'],
  ] as const)('that ended by %s', (_, verdict, failures, maxAttempts, expected) => {
    expect(statusAfter(verdict, failures, maxAttempts)).toBe(expected);
  });

  it('ends a run for good in three ways only, and at the fifth loss', () => {
    expect(FINAL_STATUSES).toEqual(['completed', 'failed', 'cancelled']);
    expect(MAX_LOSSES).toBe(5);
  });
});
