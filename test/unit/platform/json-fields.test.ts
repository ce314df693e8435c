import fc from 'fast-check';
import { compactJson, fieldsOf } from '../../../src/platform/json/index.js';
import { parseKeeping, RawJson, writeJson } from '../../../src/http/body/raw-json.js';

describe('the members of a JSON object', () => {
  it('are their texts, for any object with any spacing', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
        fc.nat(3),
        (object, indent) => {
          const text = JSON.stringify(object, null, indent);
          const members = Array.from(fieldsOf(text), ([name, value]) => [name, JSON.parse(value) as unknown]);
          expect(members).toEqual(Object.entries(JSON.parse(text) as object));
          expect(compactJson(text)).toBe(JSON.stringify(object));
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['{"a":1.10}', [['a', '1.10']]],
    [
      '{"a":1,"b":2,"a":3.0}',
      [
        ['a', '3.0'],
        ['b', '2'],
      ],
    ],
    [String.raw`{"\u0061":{"a":1}}`, [['a', '{"a":1}']]],
    [
      '{"a\\"":"}{[]:,","b":[ ]}',
      [
        ['a"', '"}{[]:,"'],
        ['b', '[ ]'],
      ],
    ],
    ['{}', []],
    [
      '{"":-0,"1":1E+2,"__proto__":null}',
      [
        ['', '-0'],
        ['1', '1E+2'],
        ['__proto__', 'null'],
      ],
    ],
  ])('of %s are %j', (text, members) => {
    expect([...fieldsOf(text)]).toEqual(members);
  });
});

describe('JSON in which a member is kept', () => {
  it('is written as it was read, wherever the member is', () => {
    const text =
      '{"jobs":[{"triggers":[{"payload":{"id":1983516295378495150,"payload":1.0}},{"x":{"payload":-0}}]}],"payload":"p"}';
    const read = parseKeeping(text, 'payload');
    expect(writeJson(read)).toBe(text);
    expect(read).toMatchObject({
      payload: { text: '"p"' },
      jobs: [{ triggers: [{}, { x: { payload: new RawJson('-0') } }] }],
    });
  });

  it('gives values where it is written by somebody else', () => {
    expect(JSON.stringify({ a: new RawJson('1.10') })).toBe('{"a":1.1}');
    expect(writeJson([{ a: [new RawJson('1.10')] }, new RawJson('1e400')])).toBe('[{"a":[1.10]},1e400]');
  });
});
