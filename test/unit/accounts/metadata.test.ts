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
  expect(mergePatch(JSON.stringify(target), JSON.stringify(patch))).toBe(JSON.stringify(expected));
});

test.each([
  ['{"id":1983516295378495150}', '{"x":1.10}', '{"id":1983516295378495150,"x":1.10}'],
  ['{"a":{"n":1e400}}', '{"a":{"m":-0}}', '{"a":{"n":1e400,"m":-0}}'],
  ['{"2":1,"1":2}', '{"0":0.10}', '{"2":1,"1":2,"0":0.10}'],
  ['{"a":1.0,"b":[1.50]}', '{"a":null}', '{"b":[1.50]}'],
  ['{"a":"[{:,","b":1}', String.raw`{"\u0061":2}`, '{"a":2,"b":1}'],
  ['{}', '{"__proto__":{"admin":1E+2}}', '{"__proto__":{"admin":1E+2}}'],
])('merging into %s the patch %s keeps the digits of every number', (target, patch, expected) => {
  expect(mergePatch(target, patch)).toBe(expected);
});
