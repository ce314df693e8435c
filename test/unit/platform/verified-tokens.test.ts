import { generateKeyPairSync } from 'node:crypto';
import { isCurrentToken, VerifiedTokens } from '../../../src/platform/crypto/index.js';

const { publicKey: key } = generateKeyPairSync('ed25519');
const { publicKey: otherKey } = generateKeyPairSync('ed25519');
const EXP = 1_000;
const BEFORE_MS = 999_999;

describe('a verified token', () => {
  it.each([
    [{ exp: EXP }, BEFORE_MS, true],
    [{ exp: EXP }, 1_000_000, false],
    [{ exp: EXP }, 1_000_001, false],
    [{ exp: EXP, nbf: 999 }, 998_999, false],
    [{ exp: EXP, nbf: 999 }, 999_000, true],
  ])('with the times %j counts at %d ms: %s', (times, nowMs, expected) => {
    expect(isCurrentToken(times, nowMs)).toBe(expected);
  });

  function tokensWith(token: string): VerifiedTokens<string> {
    const tokens = new VerifiedTokens<string>(2);
    tokens.keep(token, { claims: 'claims', keyId: 'one', key, exp: EXP });
    return tokens;
  }

  it('is found by its whole text alone', () => {
    const tokens = tokensWith('head.body.signature');
    expect(tokens.find('head.body.signature', BEFORE_MS, () => key)).toBe('claims');
    expect(tokens.find('head.body.signaturf', BEFORE_MS, () => key)).toBeUndefined();
    expect(tokens.find('head.body.signature ', BEFORE_MS, () => key)).toBeUndefined();
  });

  it('stays what it is when another text has its signature', () => {
    const signature = 'x'.repeat(86);
    const tokens = tokensWith(`head.body.${signature}`);
    expect(tokens.find(`head.another.${signature}`, BEFORE_MS, () => key)).toBeUndefined();
    expect(tokens.find(`head.body.${signature}`, BEFORE_MS, () => key)).toBe('claims');
  });

  it('is forgotten once it has expired', () => {
    const tokens = tokensWith('token');
    expect(tokens.find('token', EXP * 1000, () => key)).toBeUndefined();
    expect(tokens.size).toBe(0);
  });

  it.each([
    ['is not in use any more', undefined],
    ['has been replaced under the same id', otherKey],
  ])('is forgotten when its key %s', (_, current) => {
    const tokens = tokensWith('token');
    const asked: string[] = [];
    const find = (): string | undefined =>
      tokens.find('token', BEFORE_MS, (keyId) => {
        asked.push(keyId);
        return current;
      });
    expect(find()).toBeUndefined();
    expect(asked).toEqual(['one']);
    expect(tokens.size).toBe(0);
  });

  it('makes room for others, the one that was not used for the longest time first', () => {
    const tokens = tokensWith('first');
    tokens.keep('second', { claims: 'second', keyId: 'one', key, exp: EXP });
    tokens.find('first', BEFORE_MS, () => key);
    tokens.keep('third', { claims: 'third', keyId: 'one', key, exp: EXP });
    expect(tokens.size).toBe(2);
    expect(tokens.find('second', BEFORE_MS, () => key)).toBeUndefined();
    expect(tokens.find('first', BEFORE_MS, () => key)).toBe('claims');
  });
});
