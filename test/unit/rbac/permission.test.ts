import fc from 'fast-check';
// Not by the index, which brings Nest: what is pure is tested without it.
import { BUILTIN_ROLES } from '../../../src/rbac/role.repository.js';
import { covers, isPermission } from '../../../src/rbac/permission.js';

/** A world so small that every action in it can be tried: two names and one that nobody writes, in each place. */
const NAMES = ['a', 'b', 'other'] as const;
const WORLD = NAMES.flatMap((one) => NAMES.flatMap((two) => NAMES.map((three) => [one, two, three])));

/** By the identity document: a permission allows an action when each segment is the same, or `*`. */
function allows(permission: string, action: readonly string[]): boolean {
  if (permission === '*') return true;
  const segments = permission.split(':');
  return action.every((name, index) => segments[index] === '*' || segments[index] === name);
}

const segment = fc.constantFrom('a', 'b', '*');
const permission = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(segment, segment, segment).map((segments) => segments.join(':')) },
  { weight: 1, arbitrary: fc.constant('*') },
);
const permissions = fc.array(permission, { maxLength: 6 });
const action = fc.constantFrom(...WORLD);

describe('the permission matcher', () => {
  it('allows an action exactly when one permission does, segment by segment', () => {
    fc.assert(
      fc.property(permissions, action, (held, wanted) => {
        expect(covers(held, wanted.join(':'))).toBe(held.some((one) => allows(one, wanted)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('covers a permission only where every action that it allows is allowed', () => {
    fc.assert(
      fc.property(permissions, permission, (held, wanted) => {
        const gained = WORLD.filter((one) => allows(wanted, one));
        if (covers(held, wanted)) {
          expect(gained.every((one) => held.some((mine) => allows(mine, one)))).toBe(true);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('covers a permission whenever a single held one allows all of it', () => {
    fc.assert(
      fc.property(permission, permission, (held, wanted) => {
        const gained = WORLD.filter((one) => allows(wanted, one));
        expect(covers([held], wanted)).toBe(gained.every((one) => allows(held, one)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('covers transitively, so that no one gains permissions by passing them on', () => {
    fc.assert(
      fc.property(permissions, permissions, permission, (first, second, third) => {
        if (second.every((one) => covers(first, one)) && covers(second, third)) {
          expect(covers(first, third)).toBe(true);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    [['data:*:read'], 'data:orders:read', true],
    [['data:*:read'], 'data:orders:write', false],
    [['data:orders:read', 'data:users:read'], 'data:*:read', false],
    [['*'], '*:*:*', true],
    [['*:*:*'], '*', true],
    [[], '*', false],
    [['auth:members:*'], '*', false],
    [['Data:orders:read'], 'data:orders:read', false],
  ])('holding %j decides on %s: %s', (held, wanted, expected) => {
    expect(covers(held, wanted)).toBe(expected);
  });
});

describe('the permission grammar', () => {
  it.each(['*', '*:*:*', 'data:orders:read', 'a:b.c-d_e:F9', 'data:*:read'])('takes %j', (text) => {
    expect(isPermission(text)).toBe(true);
  });

  it.each([
    '',
    '**',
    'data',
    'data:orders',
    'data:orders:read:more',
    'data::read',
    ':orders:read',
    'data:or*:read',
    'data: orders:read',
    'data:orders:read\n',
    '*\n',
    'däta:orders:read',
    'data:orders:read,x',
    '*:*',
  ])('refuses %j', (text) => {
    expect(isPermission(text)).toBe(false);
  });

  it('takes every permission of the built-in roles', () => {
    expect(
      Object.values(BUILTIN_ROLES)
        .flat()
        .filter((text) => !isPermission(text)),
    ).toEqual([]);
  });
});
