import { claimsOf, lifeOf } from '../../../client/src/session/access-token.js';
import { withLock } from '../../../client/src/session/lock.js';
import { isDue, parseSession, sessionOf } from '../../../client/src/session/session.js';

const USER = { id: '019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c11', email: 'ada@example.com' };

function token(claims: object): string {
  return ['{}', JSON.stringify(claims), ''].map((part) => Buffer.from(part).toString('base64url')).join('.');
}

describe('a kept session', () => {
  it('is due a tenth of its life, and at most ten seconds, before the end of its token', () => {
    const now = Date.UTC(2026, 0, 1);
    // The clock of the service is an hour ahead of this one.
    const iat = now / 1000 + 3600;
    const short = sessionOf({ access_token: token({ iat, exp: iat + 10 }), refresh_token: 'r' }, USER, now);
    const long = sessionOf({ access_token: token({ iat, exp: iat + 3600 }), refresh_token: 'r' }, USER, now);
    expect([short.renew_at - now, long.renew_at - now]).toEqual([9_000, 3_590_000]);
    expect([isDue(short, now + 8_999), isDue(short, now + 9_000)]).toEqual([false, true]);
  });

  it('is never due when its token does not tell its life', () => {
    const session = sessionOf({ access_token: 'opaque', refresh_token: 'r' }, USER, 0);
    expect(isDue(session, Date.UTC(9999, 0, 1))).toBe(false);
    expect(parseSession(JSON.stringify(session))).toEqual(session);
  });

  it.each([null, '', 'null', '[]', '{', '{"access_token":"a"}', '"text"'])(
    'is none when %j is kept',
    (text) => {
      expect(parseSession(text)).toBeNull();
    },
  );
});

describe('the claims of a token', () => {
  it('are read as they are, letters beyond ASCII too', () => {
    expect(claimsOf(token({ name: 'Ådâ ✓', iat: 1, exp: 3 }))).toEqual({ name: 'Ådâ ✓', iat: 1, exp: 3 });
    expect(lifeOf(token({ iat: 1, exp: 3 }))).toBe(2000);
  });

  it.each(['', 'opaque', 'a.b.c', 'a.!.c', `a.${Buffer.from('3').toString('base64url')}.c`])(
    'of %j are none',
    (text) => {
      expect([claimsOf(text), lifeOf(text)]).toEqual([null, null]);
    },
  );
});

describe('a lock', () => {
  it('lets one at a time work, in the order that they came, past failures', async () => {
    const told: string[] = [];
    const work = (name: string, fails = false) =>
      withLock('one', async () => {
        told.push(`${name} begins`);
        await Promise.resolve();
        told.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const outcomes = await Promise.allSettled([work('a'), work('b', true), work('c')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(told).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('of another name does not wait', async () => {
    let release: () => void = () => undefined;
    const held = withLock('held', () => new Promise<void>((resolve) => (release = resolve)));
    await expect(withLock('free', () => Promise.resolve('done'))).resolves.toBe('done');
    release();
    await held;
  });
});
