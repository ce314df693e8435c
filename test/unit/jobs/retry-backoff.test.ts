import fc from 'fast-check';
import { retryDelayMs } from '../../../src/jobs/runs/model/retry-backoff.js';
import type { RetryBackoff } from '../../../src/jobs/runs/model/retry-backoff.js';

function backoff(initialMs: number, maxMs: number, multiplier: number, jitter = 0): RetryBackoff {
  return { type: 'exponential', initial_ms: initialMs, max_ms: maxMs, multiplier, jitter };
}

describe('the delay before a retry', () => {
  it.each([
    ['the first is initial_ms', backoff(1000, 60_000, 2), 1, null, 0, 1000],
    ['the second is multiplied once', backoff(1000, 60_000, 2), 2, null, 0, 2000],
    ['the sixth is multiplied five times', backoff(1000, 60_000, 2), 6, null, 0, 32_000],
    ['the seventh is cut to max_ms', backoff(1000, 60_000, 2), 7, null, 0, 60_000],
    ['the sixtieth is cut to max_ms', backoff(1000, 60_000, 2), 60, null, 0, 60_000],
    ['an initial_ms over max_ms is cut', backoff(5000, 1000, 2), 1, null, 0, 1000],
    ['a multiplier of 1 keeps it', backoff(500, 60_000, 1), 60, null, 0, 500],
    ['a broken multiplier is rounded', backoff(100, 60_000, 1.5), 4, null, 0, 338],
    ['no delay stays none', backoff(0, 60_000, 1000), 60, null, 0, 0],
    ['no delay stays none beyond every power', backoff(0, 60_000, 1000), 1000, null, 0, 0],
    ['Retry-After puts it off', backoff(1000, 60_000, 2), 1, 7000, 0, 7000],
    ['a sooner Retry-After does not hasten it', backoff(1000, 60_000, 2), 3, 1000, 0, 4000],
    ['Retry-After is cut to max_ms', backoff(1000, 60_000, 2), 1, 3_600_000, 0, 60_000],
    ['Retry-After counts without a delay of its own', backoff(0, 60_000, 2), 1, 5000, 0, 5000],
    ['jitter may take nothing', backoff(1000, 60_000, 2, 0.5), 1, null, 0, 1000],
    ['jitter takes up to its part', backoff(1000, 60_000, 2, 0.5), 1, null, 1, 500],
    ['jitter may take all', backoff(1000, 60_000, 2, 1), 1, null, 1, 0],
    ['jitter is of the delay that was cut', backoff(1000, 4000, 2, 0.5), 60, null, 1, 2000],
    ['jitter does not undercut Retry-After', backoff(1000, 60_000, 2, 1), 1, 700, 1, 700],
  ] as const)('%s', (_, policy, k, retryAfterMs, chance, expected) => {
    expect(retryDelayMs(policy, k, retryAfterMs, chance)).toBe(expected);
  });

  it('is a whole number from 0 to max_ms, whatever the policy', () => {
    const milliseconds = fc.integer({ min: 0, max: 86_400_000 });
    fc.assert(
      fc.property(
        fc.tuple(milliseconds, milliseconds, fc.double({ min: 1, max: 1000, noNaN: true })),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 1000 }),
        fc.option(fc.integer({ min: 0, max: 1_000_000_000_000 })),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ([initialMs, maxMs, multiplier], jitter, k, retryAfterMs, chance) => {
          const delay = retryDelayMs(backoff(initialMs, maxMs, multiplier, jitter), k, retryAfterMs, chance);
          expect(Number.isSafeInteger(delay)).toBe(true);
          expect(delay).toBeGreaterThanOrEqual(Math.min(retryAfterMs ?? 0, maxMs));
          expect(delay).toBeLessThanOrEqual(maxMs);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
