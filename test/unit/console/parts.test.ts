import { partsOf } from '../../../console/src/parts/parts-of.js';
import { slugOf } from '../../../console/src/parts/slug-of.js';
import { listChangeOf } from '../../../console/src/pages/audit/list-change.js';
import { replacedIn } from '../../../console/src/pages/outbox/replaced.js';

describe('long names', () => {
  it('break between their parts, and lose nothing', () => {
    expect(partsOf('olga@example.com')).toEqual(['olga@', 'example.', 'com']);
    expect(partsOf('jobs:logs:read')).toEqual(['jobs:', 'logs:', 'read']);
    for (const text of ['', 'plain', '@.:', '..a', 'a\nb-c', 'a b: c'])
      expect(partsOf(text).join('')).toBe(text);
  });

  it('suggest a short name without accents', () => {
    expect(slugOf('  Café Nord & Süd ')).toBe('cafe-nord-sud');
    expect(slugOf('日本')).toBe('');
  });
});

describe('an audit entry about a list', () => {
  it('says what was added and what was removed', () => {
    expect(listChangeOf({ before: ['a', 'b'], after: ['b', 'c'] })).toEqual([
      { item: 'c', isAdded: true },
      { item: 'a', isAdded: false },
    ]);
    expect(listChangeOf({ before: { hosts: [] }, after: { hosts: ['x'] } })).toEqual([
      { item: 'x', isAdded: true },
    ]);
  });

  it('is shown as it is where it is no change of a list', () => {
    expect(listChangeOf({ before: 'member', after: 'admin' })).toBeNull();
    expect(listChangeOf({ before: null, after: ['a'] })).toBeNull();
    expect(listChangeOf({ before: ['a', 'b'], after: ['b', 'a'] })).toBeNull();
    expect(listChangeOf({ before: { a: ['x'], b: 1 }, after: { a: [], b: 2 } })).toBeNull();
  });
});

describe('mails of the outbox', () => {
  const mail = (
    id: string,
    state: 'waiting' | 'sent' | 'failed',
    kind: 'recovery' | 'verification' = 'recovery',
  ) => ({
    id,
    to: 'ana@example.com',
    kind,
    project_id: null,
    state,
  });

  it('are replaced by a newer one of the same kind to the same address', () => {
    const mails = [
      mail('4', 'waiting'),
      mail('3', 'failed'),
      mail('2', 'waiting'),
      mail('1', 'failed', 'verification'),
    ];
    expect([...replacedIn(mails)]).toEqual(['3']);
  });
});
