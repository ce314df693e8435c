import { argon2Hash } from './argon2-hash.js';
import { bcryptHash } from './bcrypt-hash.js';
import { pbkdf2Hash } from './pbkdf2-hash.js';
import { MAX_MEMORY_KIB } from './hash-text.js';
import type { ImportedHash } from './hash-text.js';
import { scryptHash } from './scrypt-hash.js';

/** Longer than any hash within the bounds below. */
const MAX_LENGTH = 512;
const SALT_BYTES = { min: 8, max: 64 } as const;
/** Of 1 byte, every 256th password would be right. */
const KEY_BYTES = { min: 16, max: 64 } as const;
const MAX_LANES = 16;

const FORMATS = [argon2Hash, bcryptHash, scryptHash, pbkdf2Hash];

/** The hash that a text is, in PHC or modular form; null for any other text. */
export function parseImportedHash(text: string): ImportedHash | null {
  if (text.length > MAX_LENGTH) return null;
  for (const format of FORMATS) {
    const hash = format(text);
    if (hash !== null) return hash;
  }
  return null;
}

/** Why a hash costs more than may be imported, in words; null where it does not. */
export function costProblem({ memoryKib, lanes, work }: ImportedHash): string | null {
  if (memoryKib > MAX_MEMORY_KIB)
    return `needs ${Math.ceil(memoryKib)} KiB of memory, more than ${MAX_MEMORY_KIB}`;
  if (work.amount > work.limit) return `costs ${work.amount} ${work.unit}, more than ${work.limit}`;
  if (lanes > MAX_LANES) return `has a parallelism of ${lanes}, more than ${MAX_LANES}`;
  return null;
}

/** Why a hash protects no password, or is none that anybody makes, in words; null for any other. */
export function sizeProblem({ saltBytes, keyBytes }: ImportedHash): string | null {
  if (saltBytes < SALT_BYTES.min || saltBytes > SALT_BYTES.max)
    return `has a salt of ${saltBytes} bytes, not ${SALT_BYTES.min} to ${SALT_BYTES.max}`;
  if (keyBytes < KEY_BYTES.min || keyBytes > KEY_BYTES.max)
    return `has a key of ${keyBytes} bytes, not ${KEY_BYTES.min} to ${KEY_BYTES.max}`;
  return null;
}
