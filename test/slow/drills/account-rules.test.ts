import { accountViolationsOf } from './account-rules.js';
import type { Kind, Operation } from './operations.js';

function answered(kind: Kind, status: number | null, subject = 'a'): Operation {
  return { kind, subject, status, code: null, startedAt: 0, endedAt: 1 };
}

describe('the rules by which a drill judges requests of accounts', () => {
  it('let the documented answers pass, those to come again, and requests without an answer', () => {
    const operations = [
      answered('sign in', 200),
      answered('refresh', 503),
      answered('check permissions', null),
      answered('refresh after logout', 401),
      answered('use the revoked key', 401),
    ];
    expect(accountViolationsOf(operations)).toEqual([]);
  });

  it('tell a refresh token from which two sessions went on', () => {
    const twice = (...statuses: number[]): Operation[] =>
      statuses.map((status) => answered('refresh twice at once', status));
    expect(accountViolationsOf(twice(200, 401))).toEqual([]);
    expect(accountViolationsOf(twice(200, 200))).toEqual([expect.stringMatching(/^one branch/)]);
  });

  it.each<[Kind, number]>([
    ['sign in', 401],
    ['check permissions', 401],
    ['refresh', 401],
    ['refresh after logout', 200],
    ['use the revoked key', 200],
    ['create an API key', 500],
  ])('tell that %s was answered %i', (kind, status) => {
    expect(accountViolationsOf([answered(kind, status)])).toHaveLength(1);
  });
});
