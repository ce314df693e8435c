import { randomBytes } from 'node:crypto';
import { KeyRing, UnsealError } from '../../../src/platform/crypto/index.js';
import type { AssociatedData } from '../../../src/platform/crypto/index.js';

const PLACE: AssociatedData = { tenantId: 'one', table: 'vault_secrets', column: 'sealed_value', row: '1' };

function dataKey(): string {
  return randomBytes(32).toString('base64');
}

describe('a key ring', () => {
  const key = dataKey();
  const ring = new KeyRing([key]);

  it.each(['', 'a secret', 'ä€😀\0', 'x'.repeat(10_000)])('opens what it sealed: %#', (text) => {
    expect(ring.open(ring.seal(text, PLACE), PLACE).toString('utf8')).toBe(text);
  });

  it('seals the same text differently each time, and does not show it', () => {
    const [first, second] = [ring.seal('a secret', PLACE), ring.seal('a secret', PLACE)];
    expect(first.equals(second)).toBe(false);
    expect(first.includes('a secret')).toBe(false);
    expect(first.includes(Buffer.from(key, 'base64'))).toBe(false);
  });

  it.each([
    ['tenant', { tenantId: 'two' }],
    ['tenant of its own', { tenantId: null }],
    ['row', { row: '2' }],
    ['column', { column: 'sealed_secret' }],
    ['table', { table: 'signing_secrets' }],
    ['place that reads alike', { tenantId: 'one","vault_secrets', table: 'sealed_value' }],
  ])('does not open a value that was moved to another %s', (_, moved) => {
    const sealed = ring.seal('a secret', PLACE);
    expect(() => ring.open(sealed, { ...PLACE, ...moved })).toThrow(UnsealError);
  });

  it('derives keys that differ by purpose and by data key', () => {
    const rotated = new KeyRing([dataKey(), key]);
    const [current, former] = rotated.derive('one purpose');
    expect(former?.secret).toEqual(ring.derive('one purpose')[0].secret);
    const secrets = [current, former, ring.derive('another')[0]].map((one) => one?.secret.toString('hex'));
    expect(new Set([...secrets, Buffer.from(key, 'base64').toString('hex')]).size).toBe(4);
  });

  it('does not open a value with any bit turned over', () => {
    const sealed = ring.seal('a secret', PLACE);
    for (let at = 0; at < sealed.length; at += 1) {
      const altered = Buffer.from(sealed);
      altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
      expect(() => ring.open(altered, PLACE)).toThrow(UnsealError);
    }
  });

  it('does not open a value that was cut short', () => {
    const sealed = ring.seal('a secret', PLACE);
    for (let length = 0; length < sealed.length; length += 1)
      expect(() => ring.open(sealed.subarray(0, length), PLACE)).toThrow(UnsealError);
  });

  it('opens with a previous key and seals with the current one', () => {
    const old = ring.seal('a secret', PLACE);
    const current = dataKey();
    const rotated = new KeyRing([current, key]);
    expect(rotated.open(old, PLACE).toString()).toBe('a secret');
    const renewed = rotated.seal('a secret', PLACE);
    expect(new KeyRing([current]).open(renewed, PLACE).toString()).toBe('a secret');
    expect(() => ring.open(renewed, PLACE)).toThrow('a data key that is not configured');
  });

  it.each([[[]], [['']], [[randomBytes(16).toString('base64')]], [[dataKey(), 'short']]])(
    'is not made of %j',
    (keys) => {
      expect(() => new KeyRing(keys)).toThrow(/data key/);
    },
  );
});
