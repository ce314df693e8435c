import fc from 'fast-check';
import { scanJson } from '../../../src/http/body/json-text.js';

const DEPTH = 100;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function memberText(json: string, wanted: string): string | null {
  const scan = scanJson(json, { maxDepth: DEPTH, wanted });
  return scan.fault === null && scan.member !== null ? json.slice(scan.member.start, scan.member.end) : null;
}

/** Names and values, counted in what JSON.parse makes. */
function partsOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + partsOf(item), 1);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + 1 + partsOf(item), 1);
}

describe('a scan of JSON text', () => {
  it('finds a member of each object in a list, and of no object that is deeper', () => {
    const item = fc.oneof(
      fc.record({ payload: fc.jsonValue({ maxDepth: 3 }), other: fc.jsonValue({ maxDepth: 2 }) }),
      fc.record({ other: fc.record({ payload: fc.jsonValue({ maxDepth: 1 }) }) }),
      fc.jsonValue({ maxDepth: 1 }).map((value) => [{ payload: value }]),
      fc.integer(),
    );
    fc.assert(
      fc.property(fc.array(item), fc.nat(3), (items, indent) => {
        const text = JSON.stringify(items, null, indent);
        const scan = scanJson(text, { maxDepth: DEPTH, wanted: 'payload' });
        const found = scan.fault === null ? [...scan.members] : [];
        const values = found.map(([place, { start, end }]) => [
          place,
          JSON.parse(text.slice(start, end)) as unknown,
        ]);
        const wanted = (JSON.parse(text) as unknown[]).flatMap((value, place) =>
          typeof value === 'object' && value !== null && 'payload' in value ? [[place, value.payload]] : [],
        );
        expect(values).toEqual(wanted);
      }),
      { numRuns: 300 },
    );
  });

  it('takes the last of a repeated name in an object of a list, as JSON.parse does', () => {
    const text = '[{"payload": 1, "payload": [2]}, {"pay\\u006coad": 3}]';
    const scan = scanJson(text, { maxDepth: DEPTH, wanted: 'payload' });
    const found = scan.fault === null ? [...scan.members.values()] : [];
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(['[2]', '3']);
  });

  it('finds to be JSON what JSON.parse does, and counts the names and values of it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(scanJson(text, { maxDepth: DEPTH })).toEqual({
          fault: null,
          // Of a document with one name twice JSON.parse keeps one; JSON.stringify writes none such.
          parts: partsOf(JSON.parse(text)),
          member: null,
          members: new Map(),
        });
      }),
      { numRuns: 300 },
    );
  });

  it('finds to be none what JSON.parse does not take, whatever was altered in a good text', () => {
    const fragments = fc.constantFrom(
      ...'{}[],:"\\0123456789.eE+-truefalsn \n\t\u0000\u001f/',
      '\\u12',
      '00',
      '\ufeff',
    );
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 3 }),
        fc.nat(),
        fragments,
        fc.nat(2),
        (value, place, fragment, cut) => {
          const good = JSON.stringify(value);
          const at = place % (good.length + 1);
          const text = good.slice(0, at) + fragment + good.slice(at + cut);
          expect([text, scanJson(text, { maxDepth: DEPTH }).fault === null]).toEqual([text, isJson(text)]);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it.each([
    '',
    ' ',
    '{',
    '[',
    '"',
    '-',
    '1.',
    '1e',
    '01',
    '{"a"}',
    '{"a":}',
    '{,}',
    '[,]',
    '[1,]',
    '{"a":1,}',
    'tru',
    '"\\x"',
    '"\\u00g0"',
    '1 1',
    '{}}',
    '[}',
  ])('finds %j to be no JSON', (text) => {
    expect(scanJson(text, { maxDepth: DEPTH }).fault).toBe('not_json');
    expect(isJson(text)).toBe(false);
  });

  it('stops at the first bracket that is too deep', () => {
    expect(scanJson('[[1]]', { maxDepth: 2 }).fault).toBeNull();
    expect(scanJson('[[{', { maxDepth: 2 }).fault).toBe('too_deep');
  });
});

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
    ['[{"a":1}]', 'a', null],
    ['{"b":{"a":1}}', 'a', null],
    ['{"b":[{"a":1}],"a":2}', 'a', '2'],
    ['{"a":{"a":{"a":1}}}', 'a', '{"a":{"a":1}}'],
    ['{"a":{"a":1},"b":3}', 'a', '{"a":1}'],
    ['{"a":1e400,"b":0}', 'a', '1e400'],
    ['{"a":-0.0}', 'a', '-0.0'],
    ['{"a":true,"a":null}', 'a', 'null'],
    ['{"a":"a","b":"a"}', 'a', '"a"'],
    [String.raw`{"\u0061":[1 , 2]}`, 'a', '[1 , 2]'],
    ['{"__proto__":1,"constructor":2}', 'constructor', '2'],
  ])('in %s named %s is %s', (json, name, text) => {
    expect(memberText(json, name)).toBe(text);
  });

  it.each([
    ['{"a":1,"a":2}', 7],
    ['{"b":{},"a":[{"x":{},"y":1,"x":2}]}', 27],
    ['{"a":1, "\\u0061":2}', 8],
    ['{"":1,"":2}', 6],
    ['[{"payload":{"a":1,"a":2},"b":1,"b":2}]', 32],
    ['[{"payload":1,"payload":2}]', 14],
  ])('finds the name that %s has twice in an object', (text, start) => {
    const scan = scanJson(text, { maxDepth: DEPTH, wanted: 'payload', hasUniqueNames: true });
    expect(scan).toEqual({ fault: 'repeated_name', start });
    expect(scanJson(text, { maxDepth: DEPTH })).toMatchObject({ fault: null });
  });

  it('takes equal names of different objects, and any within the wanted member', () => {
    const options = { maxDepth: DEPTH, wanted: 'payload', hasUniqueNames: true };
    for (const text of [
      '{"a":{"a":{"a":1}},"b":{"a":1}}',
      '[{"a":1},{"a":2},{"b":{"a":1},"a":{}}]',
      '{"payload":{"a":1,"a":{"a":1,"a":2}},"b":{"a":1}}',
    ])
      expect(scanJson(text, options)).toMatchObject({ fault: null });
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
        const scan = scanJson(JSON.stringify(value, null, indent), { maxDepth: DEPTH, hasUniqueNames: true });
        expect(scan.fault).toBeNull();
      }),
    );
  });
});
