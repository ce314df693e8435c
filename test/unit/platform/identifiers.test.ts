import { isUuid, newId } from '../../../src/platform/crypto/index.js';
import { firstRunIdAt, newRunId } from '../../../src/jobs/runs/model/run-id.js';

const COUNT = 5000;

describe('ids', () => {
  it('are UUIDs of version 7', () => {
    expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(isUuid(newId())).toBe(true);
  });

  it('of runs are run_ and 26 characters of Crockford base32', () => {
    expect(newRunId()).toMatch(/^run_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  });

  it.each([
    ['ids', newId],
    ['run ids', newRunId],
  ])('are unique and sort as text in the order they were made: %s', (_, make) => {
    const made = Array.from({ length: COUNT }, make);
    expect(new Set(made).size).toBe(COUNT);
    expect([...made].sort()).toEqual(made);
  });

  it('of runs carry the time in their first ten characters', () => {
    const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    const before = Date.now();
    const encoded = newRunId().slice(4, 14);
    const milliseconds = [...encoded].reduce((sum, digit) => sum * 32 + alphabet.indexOf(digit), 0);
    expect(milliseconds).toBeGreaterThanOrEqual(before);
    const after = Date.now();
    expect(milliseconds).toBeLessThanOrEqual(after);
  });

  it('of runs come after the first of their millisecond and before that of the next', () => {
    const before = Date.now();
    const made = newRunId();
    const next = Date.now() + 1;
    expect(firstRunIdAt(new Date(before)) <= made).toBe(true);
    expect(made < firstRunIdAt(new Date(next))).toBe(true);
    expect(firstRunIdAt(new Date(-1))).toBe(`run_${'0'.repeat(26)}`);
  });

  it.each(['019AA3C0-7d7b-7c11-9a52-0c7c2f2f3c11', '00000000-0000-0000-0000-000000000000'])(
    'of UUID form are recognized in upper and lower case: %s',
    (text) => {
      expect(isUuid(text)).toBe(true);
    },
  );

  it.each([
    '',
    'acme',
    '019aa3c07d7b7c119a520c7c2f2f3c11',
    '{019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c11}',
    '019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c1',
    '019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c1g',
    '019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c11\n',
  ])('are not of UUID form: %j', (text) => {
    expect(isUuid(text)).toBe(false);
  });
});
