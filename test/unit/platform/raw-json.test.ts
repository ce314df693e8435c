import fc from 'fast-check';
import { memberText, RawJson, writeJson } from '../../../src/platform/http/raw-json.js';

describe('the text of a member', () => {
  it('is what stands there, for any member of any object with any spacing', () => {
    const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
    const member = fc.tuple(fc.string(), fc.jsonValue(), space);
    fc.assert(
      fc.property(fc.uniqueArray(member, { selector: ([name]) => name, minLength: 1 }), (members) => {
        const texts = members.map(([, value, blank]) => JSON.stringify(value, null, blank.length));
        const body = members.map(
          ([name, , blank], index) => `${blank}${JSON.stringify(name)}${blank}:${blank}${texts[index] ?? ''}`,
        );
        const json = `{${body.join(',')}}`;
        members.forEach(([name], index) => {
          expect(memberText(json, name)).toBe(texts[index]);
        });
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['{"a":1}', 'b', null],
    ['{}', 'a', null],
    ['{"b":{"a":1}}', 'a', null],
    ['{"b":[{"a":1}],"a":2}', 'a', '2'],
    ['{"a":{"a":{"a":1}}}', 'a', '{"a":{"a":1}}'],
    ['{"a":1e400,"b":0}', 'a', '1e400'],
    ['{"a":-0.0}', 'a', '-0.0'],
    ['{"a":true,"a":null}', 'a', 'null'],
    ['{"a":"a","b":"a"}', 'a', '"a"'],
    [String.raw`{"\u0061":[1 , 2]}`, 'a', '[1 , 2]'],
    ['{"__proto__":1,"constructor":2}', 'constructor', '2'],
  ])('in %s named %s is %s', (json, name, text) => {
    expect(memberText(json, name)).toBe(text);
  });
});

describe('an answer', () => {
  it('with JSON text among its members has it as it is, and the rest as ever', () => {
    const body = {
      id: 'x',
      payload: new RawJson('{"n":1e400 }'),
      none: undefined,
      at: new Date(0),
      list: [1],
    };
    expect(writeJson(body)).toBe(
      '{"id":"x","payload":{"n":1e400 },"at":"1970-01-01T00:00:00.000Z","list":[1]}',
    );
  });

  it('without is written like any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(writeJson(body)).toBe(JSON.stringify(body));
      }),
      { numRuns: 100 },
    );
  });
});
