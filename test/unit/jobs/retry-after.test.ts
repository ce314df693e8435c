import { retryAfterMs } from '../../../src/jobs/invoker/handler-response.js';

const NOW = new Date('2026-01-31T12:00:00.000Z');

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['1', 1000],
    ['2027', 2_027_000],
    [' 120 ', 120_000],
    ['12345678901', 12_345_678_901_000],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['Sat, 31 Jan 2026 12:00:30 GMT', 30_000],
    ['Saturday, 31-Jan-26 12:01:00 GMT', 60_000],
  ])('%j is so many milliseconds', (header, expected) => {
    expect(retryAfterMs(header, NOW)).toBe(expected);
  });

  it.each([
    undefined,
    '',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'soon',
    '2026-01-31T12:00:30Z',
    'Sat, 31 Jan 2026 12:00:30',
    'Sat, 31 Foo 2026 12:00:30 GMT',
    'Sat, 31 Jan 2026 12:00:00 GMT',
    'Fri, 30 Jan 2026 12:00:00 GMT',
    ['1', '2'],
  ])('%j is ignored', (header) => {
    expect(retryAfterMs(header, NOW)).toBeNull();
  });
});
