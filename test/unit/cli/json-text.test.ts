import fc from 'fast-check';
import { compactJson, inexactNumber, membersOf } from '../../../servicectl/src/caller/json-text.js';

it('JSON and its members are printed in one line, for any object with any spacing', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
      fc.nat(3),
      (object, indent) => {
        const text = JSON.stringify(object, null, indent);
        expect(compactJson(text)).toBe(JSON.stringify(object));
        const members = Object.entries(JSON.parse(text) as object);
        expect([...membersOf(text)]).toEqual(members.map(([name, value]) => [name, JSON.stringify(value)]));
      },
    ),
    { numRuns: 300 },
  );
});

it.each([
  ['{"a" : 1.10}', [['a', '1.10']]],
  [String.raw`{"\u0061":{"a": [1, {"a":2}]}}`, [['a', '{"a":[1,{"a":2}]}']]],
  ['{"a":1,"a":3.0}', [['a', '3.0']]],
  [
    '{"a\\"":"}{[]:,","b":[ ]}',
    [
      ['a"', '"}{[]:,"'],
      ['b', '[]'],
    ],
  ],
  ['{}', []],
])('the members of %s are as they were written: %j', (text, members) => {
  expect([...membersOf(text)]).toEqual(members);
});

it.each([
  ['{"a":9007199254740993}', '9007199254740993'],
  ['[1,0.12345678901234567890]', '0.12345678901234567890'],
  ['1e400', '1e400'],
  ['-1e-400', '-1e-400'],
  ['{"a":"9007199254740993"}', null],
  ['[1.10,1e2,1E-7,-0,0.0,9007199254740992,1.7976931348623157e308,100000000000000000000000]', null],
])('the number that JavaScript does not have in %s is %j', (text, number) => {
  expect(inexactNumber(text)).toBe(number);
});
