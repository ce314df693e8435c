import { mergePatch } from '../../../src/identity/users/metadata.js';

// RFC 7396, appendix A.
test.each<[unknown, unknown, unknown]>([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('merging into %j the patch %j gives %j', (target, patch, expected) => {
  expect(mergePatch(target, patch)).toEqual(expected);
});

test('a member named __proto__ is data like any other', () => {
  const patch: unknown = JSON.parse('{"__proto__":{"admin":true}}');
  const merged = mergePatch({}, patch);
  expect(JSON.stringify(merged)).toBe('{"__proto__":{"admin":true}}');
  expect((merged as { admin?: unknown }).admin).toBeUndefined();
});
