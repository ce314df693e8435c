import {
  isPublishedAt,
  rotationDueAt,
  signerAt,
  transitionDueAt,
} from '../../../src/identity/signing-keys/signing-key-times.js';
import type { SigningKeyState } from '../../../src/identity/signing-keys/signing-key.repository.js';

const NOON = Date.parse('2026-01-31T12:00:00.000Z');
const DAY_SECS = 86_400;

/** @param seconds relative to noon */
function at(seconds: number): Date {
  return new Date(NOON + seconds * 1000);
}

function key(
  kid: string,
  state: SigningKeyState,
  times: { signs?: number; active?: number; retires?: number } = {},
) {
  return {
    kid,
    state,
    signsAt: at(times.signs ?? 0),
    activeAt: times.active === undefined ? null : at(times.active),
    retiresAt: times.retires === undefined ? null : at(times.retires),
  };
}

describe('the times of signing keys', () => {
  const active = key('old', 'active', { active: -1000 });
  const next = key('new', 'next', { signs: 60 });

  it.each([
    ['before the waiting key may sign', -1, 'old'],
    ['a moment before', 59.999, 'old'],
    ['at the instant', 60, 'new'],
    ['long after, though nobody has promoted it', 10_000, 'new'],
  ])('%s', (_, seconds, kid) => {
    expect(signerAt([active, next], at(seconds))?.kid).toBe(kid);
  });

  it('has no signer without an active key or one whose time has come', () => {
    expect(signerAt([next], at(0))).toBeUndefined();
    expect(signerAt([key('gone', 'retiring', { retires: 100 })], at(0))).toBeUndefined();
  });

  it('publishes a retiring key until its last token has expired, even if it was not retired explicitly', () => {
    const retiring = key('old', 'retiring', { retires: 60 });
    expect([0, 59.999, 60, 61].map((seconds) => isPublishedAt(retiring, at(seconds)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(isPublishedAt(key('old', 'retired'), at(0))).toBe(false);
    expect(isPublishedAt(next, at(0))).toBe(true);
  });

  it('looks at the keys again when the first of their times comes', () => {
    expect(transitionDueAt([active])).toBeNull();
    expect(transitionDueAt([active, next, key('older', 'retiring', { retires: 30 })])).toEqual(at(30));
  });

  it('publishes the successor so that it signs when the key has reached its age', () => {
    const plan = { rotationDays: 90, leadSecs: 1200 };
    expect(rotationDueAt([active], plan)).toEqual(at(-1000 + 90 * DAY_SECS - 1200));
    expect(rotationDueAt([active, next], plan)).toBeNull();
    expect(rotationDueAt([active], { ...plan, rotationDays: 0 })).toBeNull();
    expect(rotationDueAt([], plan)).toBeNull();
  });
});
