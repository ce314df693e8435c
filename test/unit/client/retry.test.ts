import fc from 'fast-check';
import { isIdempotent, retryDelay } from '../../../client/src/http/retry.js';
import { parseRetryAfter } from '../../../client/src/http/retry-after.js';
import { ServiceError } from '../../../client/src/index.js';

function failure(status: number, retryAfterMs?: number): ServiceError {
  const code = status === 0 ? 'network_error' : 'refused';
  return new ServiceError({ code, message: 'no', status, retryAfterMs });
}

describe('trying a call again', () => {
  it.each([
    ['GET', {}, true],
    ['PUT', {}, true],
    ['DELETE', {}, true],
    ['POST', {}, false],
    ['PATCH', {}, false],
    ['POST', { 'Idempotency-Key': 'key' }, true],
  ])('of %s with %j is idempotent: %s', (method, headers, expected) => {
    expect(isIdempotent(method, headers as Record<string, string>)).toBe(expected);
  });

  it.each([
    [0, true],
    [400, false],
    [401, false],
    [404, false],
    [409, false],
    [429, true],
    [500, false],
    [502, true],
    [503, true],
    [504, true],
  ])('after %i happens: %s', (status, expected) => {
    expect(retryDelay(failure(status), 1, 1, 0.5) !== null).toBe(expected);
  });

  it('does not happen when no try is left, nor after a time limit', () => {
    expect(retryDelay(failure(503), 3, 0, 0.5)).toBeNull();
    expect(retryDelay(new ServiceError({ code: 'timeout', message: 'no', status: 0 }), 1, 1, 0.5)).toBeNull();
  });

  it('waits longer each time, spread by chance, and never shorter than the service asks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 30_000 }),
        (tryNumber, chance, retryAfterMs) => {
          const full = 200 * 2 ** (tryNumber - 1);
          const delay = retryDelay(failure(503), tryNumber, 1, chance) ?? Number.NaN;
          expect(delay).toBeGreaterThanOrEqual(full / 2);
          expect(delay).toBeLessThanOrEqual(full);
          expect(retryDelay(failure(503, retryAfterMs), tryNumber, 1, chance)).toBe(
            Math.max(delay, retryAfterMs),
          );
        },
      ),
    );
  });

  it('is left to the caller when the service asks for more than half a minute', () => {
    expect(retryDelay(failure(503, 30_001), 1, 1, 0)).toBeNull();
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-01-05T05:00:00Z');

  it.each([
    ['3', 3000],
    [' 0 ', 0],
    ['Mon, 05 Jan 2026 05:00:10 GMT', 10_000],
    ['Mon, 05 Jan 2026 04:00:00 GMT', 0],
    ['-3', undefined],
    ['soon', undefined],
    ['1e3', undefined],
    ['', undefined],
    [null, undefined],
  ])('of %j is %s ms', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });
});
