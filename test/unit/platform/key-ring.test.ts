import { randomBytes } from 'node:crypto';
import { KeyRing, UnsealError } from '../../../src/platform/crypto/index.js';

const CONTEXT = 'signing_keys.private_key:1';

function dataKey(): string {
  return randomBytes(32).toString('base64');
}

describe('a key ring', () => {
  const key = dataKey();
  const ring = new KeyRing([key]);

  it.each(['', 'a secret', 'ä€😀\0', 'x'.repeat(10_000)])('opens what it sealed: %#', (text) => {
    expect(ring.open(ring.seal(text, CONTEXT), CONTEXT).toString('utf8')).toBe(text);
  });

  it('seals the same text differently each time, and does not show it', () => {
    const [first, second] = [ring.seal('a secret', CONTEXT), ring.seal('a secret', CONTEXT)];
    expect(first.equals(second)).toBe(false);
    expect(first.includes('a secret')).toBe(false);
    expect(first.includes(Buffer.from(key, 'base64'))).toBe(false);
  });

  it('does not open a value that was moved to another row', () => {
    const sealed = ring.seal('a secret', CONTEXT);
    expect(() => ring.open(sealed, 'signing_keys.private_key:2')).toThrow(UnsealError);
    expect(() => ring.open(sealed, '')).toThrow(UnsealError);
  });

  it('does not open a value with any bit turned over', () => {
    const sealed = ring.seal('a secret', CONTEXT);
    for (let at = 0; at < sealed.length; at += 1) {
      const altered = Buffer.from(sealed);
      altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
      expect(() => ring.open(altered, CONTEXT)).toThrow(UnsealError);
    }
  });

  it('does not open a value that was cut short', () => {
    const sealed = ring.seal('a secret', CONTEXT);
    for (let length = 0; length < sealed.length; length += 1)
      expect(() => ring.open(sealed.subarray(0, length), CONTEXT)).toThrow(UnsealError);
  });

  it('opens with a previous key and seals with the current one', () => {
    const old = ring.seal('a secret', CONTEXT);
    const current = dataKey();
    const rotated = new KeyRing([current, key]);
    expect(rotated.open(old, CONTEXT).toString()).toBe('a secret');
    const renewed = rotated.seal('a secret', CONTEXT);
    expect(new KeyRing([current]).open(renewed, CONTEXT).toString()).toBe('a secret');
    expect(() => ring.open(renewed, CONTEXT)).toThrow('a data key that is not configured');
  });

  it.each([[[]], [['']], [[randomBytes(16).toString('base64')]], [[dataKey(), 'short']]])(
    'is not made of %j',
    (keys) => {
      expect(() => new KeyRing(keys)).toThrow(/data key/);
    },
  );
});
