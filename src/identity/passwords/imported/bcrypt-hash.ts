import bcrypt from 'bcrypt';
import type { ImportedHash } from './hash-text.js';

const FORM = /^\$2([aby])\$(0[4-9]|[12][0-9]|3[01])\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/;

/** What bcrypt reads of a password. */
const PASSWORD_BYTES = 72;
const [SALT_BYTES, KEY_BYTES] = [16, 23];
/** A cost of 14, which takes about a second. */
const MAX_ROUNDS = 2 ** 14;
/** The state of Blowfish. */
const MEMORY_KIB = 4;

/**
 * The bytes of a password that count. Every bcrypt ignores what is past 72 bytes. PHP, which writes `$2y$`, ends at a
 * NUL byte too; the libraries of Node.js, Go and Java read on, and they write `$2a$` and `$2b$`.
 */
function countedBytes(password: string, minor: string): Buffer {
  const bytes = Buffer.from(password, 'utf8');
  const nul = minor === 'y' ? bytes.indexOf(0) : -1;
  return bytes.subarray(0, Math.min(nul < 0 ? bytes.length : nul, PASSWORD_BYTES));
}

/**
 * bcrypt with the prefixes `$2a$`, `$2b$` and `$2y$`. They name the same function once no password is longer than 72
 * bytes: `$2a$` of old libraries differs past 255. `$2x$` marks hashes of a faulty one.
 */
export function bcryptHash(text: string): ImportedHash | null {
  const [, minor, cost, salt = '', key = ''] = FORM.exec(text) ?? [];
  if (minor === undefined || cost === undefined) return null;
  return {
    kind: `$2b$${cost}`,
    memoryKib: MEMORY_KIB,
    lanes: 1,
    threads: 1,
    work: { amount: 2 ** Number(cost), limit: MAX_ROUNDS, unit: 'rounds' },
    saltBytes: SALT_BYTES,
    keyBytes: KEY_BYTES,
    verify: async (password) =>
      await bcrypt.compare(countedBytes(password, minor), `$2b$${cost}$${salt}${key}`),
  };
}
