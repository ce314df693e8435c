import fc from 'fast-check';
import { covers, isPermission } from '../../../src/rbac/index.js';

const NAMES = ['a', 'b', 'c'];
/** A name that no permission below names, standing for all that anyone may think of later. */
const ANY_OTHER = 'z';

const segment = fc.constantFrom('*', ...NAMES);
const permission = fc.oneof(
  { weight: 1, arbitrary: fc.constant('*') },
  { weight: 9, arbitrary: fc.tuple(segment, segment, segment).map((segments) => segments.join(':')) },
);

/** Every concrete permission that one stands for. */
function meaning(text: string): string[] {
  const segments = text === '*' ? ['*', '*', '*'] : text.split(':');
  return segments.reduce<string[]>(
    (prefixes, name) =>
      prefixes.flatMap((prefix) =>
        (name === '*' ? [...NAMES, ANY_OTHER] : [name]).map((one) => `${prefix}/${one}`),
      ),
    [''],
  );
}

describe('the grammar of permissions', () => {
  it.each(['*', '*:*:*', 'jobs:jobs:write', 'data:*:read', '*:orders:*', 'A.b-c_9:x:y', '-:.:_'])(
    'takes %j',
    (text) => {
      expect(isPermission(text)).toBe(true);
    },
  );

  it.each([
    '',
    '**',
    '*:*',
    'a',
    'a:b',
    'a:b:c:d',
    'a::c',
    ':b:c',
    'a:b:',
    'a:b*:c',
    'a b:c:d',
    'a:b:c ',
    'a:b:c\n',
    'a:b:c\0',
    'ä:b:c',
    'a/b:c:d',
    'a:b:c,d:e:f',
  ])('refuses %j', (text) => {
    expect(isPermission(text)).toBe(false);
  });
});

describe('what permissions cover', () => {
  it.each([
    [['*'], 'a:b:c', true],
    [['*'], '*', true],
    [['*:*:*'], '*', true],
    [['*'], '*:*:*', true],
    [['jobs:*:*'], 'jobs:runs:read', true],
    [['jobs:*:*'], 'jobs:*:read', true],
    [['jobs:*:*'], '*:runs:read', false],
    [['jobs:runs:read'], 'jobs:runs:*', false],
    [['a:b:c', 'a:b:d'], 'a:b:*', false],
    [['a:b:c', 'x:y:z'], 'x:y:z', true],
    [['data:*:read'], 'data:orders:write', false],
    [['data:*:read'], 'Data:orders:read', false],
    [[], 'a:b:c', false],
  ] as const)('%j and %s: %s', (held, wanted, expected) => {
    expect(covers(held, wanted)).toBe(expected);
  });

  it('is what the sets of concrete permissions behind them say', () => {
    fc.assert(
      fc.property(fc.array(permission, { maxLength: 4 }), permission, (held, wanted) => {
        const allowed = new Set(held.flatMap(meaning));
        expect(covers(held, wanted)).toBe(meaning(wanted).every((one) => allowed.has(one)));
      }),
      { numRuns: 2000 },
    );
  });
});
