import fc from 'fast-check';
import {
  apiKeyPrefix,
  formatApiKey,
  isMeantAsApiKey,
  makeApiKey,
  readApiKeyId,
} from '../../../src/keys/api-keys/api-key-format.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_LENGTH = 62;

const ids = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 8, maxLength: 8 });
const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

describe('the text of an API key', () => {
  it('has the form svc_, 8 characters, _, 43 characters and 6 characters, all base62', () => {
    fc.assert(
      fc.property(ids, secrets, (id, secret) => {
        const key = formatApiKey(id, secret);
        expect(key).toMatch(/^svc_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/);
        expect(key).toHaveLength(KEY_LENGTH);
        expect(key.startsWith(`${apiKeyPrefix(id)}_`)).toBe(true);
        expect(isMeantAsApiKey(key)).toBe(true);
      }),
    );
  });

  it('gives its id back', () => {
    fc.assert(
      fc.property(ids, secrets, (id, secret) => {
        expect(readApiKeyId(formatApiKey(id, secret))).toBe(id);
      }),
    );
  });

  it('differs where the secret differs', () => {
    fc.assert(
      fc.property(ids, secrets, secrets, (id, one, other) => {
        fc.pre(!one.equals(other));
        expect(formatApiKey(id, one)).not.toBe(formatApiKey(id, other));
      }),
    );
  });

  it('is refused when any one character is another', () => {
    fc.assert(
      fc.property(
        ids,
        secrets,
        fc.nat(KEY_LENGTH - 1),
        fc.constantFrom(...ALPHABET, '_', '-', ' ', '\n', 'é'),
        (id, secret, position, character) => {
          const key = formatApiKey(id, secret);
          fc.pre(key.charAt(position) !== character);
          expect(readApiKeyId(key.slice(0, position) + character + key.slice(position + 1))).toBeNull();
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('is refused when two neighbours change places', () => {
    fc.assert(
      fc.property(ids, secrets, fc.nat(KEY_LENGTH - 2), (id, secret, position) => {
        const key = formatApiKey(id, secret);
        const [left = '', right = ''] = key.slice(position, position + 2);
        fc.pre(left !== right);
        expect(readApiKeyId(key.slice(0, position) + right + left + key.slice(position + 2))).toBeNull();
      }),
    );
  });

  it('is refused cut short, lengthened or padded', () => {
    const { key } = makeApiKey();
    for (const text of [key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase(), '', 'svc_']) {
      expect(readApiKeyId(text)).toBeNull();
    }
  });

  it('is refused without an error for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(readApiKeyId(text)).toBeNull();
        expect(readApiKeyId(`svc_${text}`)).toBeNull();
      }),
    );
  });

  it('is new each time it is made', () => {
    const made = Array.from({ length: 1000 }, makeApiKey);
    expect(new Set(made.map(({ id }) => id)).size).toBe(made.length);
    expect(new Set(made.map(({ key }) => key)).size).toBe(made.length);
    for (const { id, key } of made) expect(readApiKeyId(key)).toBe(id);
  });
});
