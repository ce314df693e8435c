import { randomBytes } from 'node:crypto';
import { toUnpaddedBase64 } from './hash-text.js';

const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** Digits of the salt and of the key. The last one of each has bits that do not count. */
const BCRYPT_DIGITS = { salt: 21, key: 30 } as const;

/** A hash that costs what the hashes of a kind cost; no password verifies against it. */
export function standInOf(kind: string): string {
  if (kind.startsWith('$2b$')) {
    const digits = randomBytes(48).toString('base64').replaceAll('+', '.');
    return `${kind}$${digits.slice(0, BCRYPT_DIGITS.salt)}u${digits.slice(-BCRYPT_DIGITS.key)}u`;
  }
  const [, length = KEY_BYTES] = /,l=(\d+)$/.exec(kind) ?? [];
  const salt = toUnpaddedBase64(randomBytes(SALT_BYTES));
  return `${kind}$${salt}$${toUnpaddedBase64(randomBytes(Number(length)))}`;
}
