import { parseHttpDate } from '../../../src/platform/outbound/index.js';
import { parseRetryAfter } from '../../../client/src/http/retry-after.js';

const NOW = new Date('1994-11-06T08:49:00.000Z');
const AT = Date.UTC(1994, 10, 6, 8, 49, 37);

it.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
  'the HTTP date %s is an instant, on the server and in the client',
  (text) => {
    expect(parseHttpDate(text, NOW)).toBe(AT);
    expect(parseRetryAfter(text, NOW.getTime())).toBe(37_000);
  },
);

it('takes a year of two digits for one that is not far ahead', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  expect(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT', now)).toBe(AT);
  expect(parseHttpDate('Friday, 06-Nov-76 08:49:37 GMT', now)).toBe(Date.UTC(2076, 10, 6, 8, 49, 37));
});

it.each([
  'Sun, 6 Nov 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun, 06 Nov 1994 08:49:37 CET',
  'Sun, 31 Nov 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 24:49:37 GMT',
  '1994-11-06T08:49:37Z',
  '1994',
])('%s is none', (text) => {
  expect(parseHttpDate(text, NOW)).toBeNull();
});
