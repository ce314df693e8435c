import { pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { NUMBER, unpaddedBase64 } from './hash-text.js';
import type { ImportedHash } from './hash-text.js';

const derive = promisify(pbkdf2);

const PHC_FORM = new RegExp(
  `^\\$pbkdf2-(sha1|sha256|sha512)\\$i=${NUMBER}(?:,l=${NUMBER})?\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)$`,
);
/** Of passlib: SHA-1 where no digest is named, and `.` for `+` in base64. */
const MODULAR_FORM = new RegExp(
  `^\\$pbkdf2(?:-(sha256|sha512))?\\$${NUMBER}\\$([A-Za-z0-9./]+)\\$([A-Za-z0-9./]+)$`,
);

const DIGEST_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;
type Digest = keyof typeof DIGEST_BYTES;

/** Iterations over all blocks of the key. */
const MAX_WORK = 2_000_000;

interface Pbkdf2 {
  readonly digest: Digest;
  readonly iterations: number;
  readonly salt: Buffer;
  readonly key: Buffer;
}

function phcParameters(text: string): Pbkdf2 | null {
  const [, digest, iterations, length, saltText = '', keyText = ''] = PHC_FORM.exec(text) ?? [];
  const [salt, key] = [unpaddedBase64(saltText), unpaddedBase64(keyText)];
  if (digest === undefined || salt === null || key === null) return null;
  if (length !== undefined && Number(length) !== key.length) return null;
  return { digest: digest as Digest, iterations: Number(iterations), salt, key };
}

function modularParameters(text: string): Pbkdf2 | null {
  const [, digest = 'sha1', iterations, saltText = '', keyText = ''] = MODULAR_FORM.exec(text) ?? [];
  const [salt, key] = [saltText, keyText].map((encoded) => unpaddedBase64(encoded.replaceAll('.', '+')));
  if (iterations === undefined || salt == null || key == null) return null;
  return { digest: digest as Digest, iterations: Number(iterations), salt, key };
}

/** PBKDF2 (RFC 8018) with HMAC, as a PHC string or in the modular form of passlib. */
export function pbkdf2Hash(text: string): ImportedHash | null {
  const parameters = phcParameters(text) ?? modularParameters(text);
  if (parameters === null) return null;
  const { digest, iterations, salt, key } = parameters;
  return {
    kind: `$pbkdf2-${digest}$i=${iterations},l=${key.length}`,
    memoryKib: 1,
    lanes: 1,
    threads: 1,
    work: {
      amount: iterations * Math.ceil(key.length / DIGEST_BYTES[digest]),
      limit: MAX_WORK,
      unit: 'iterations',
    },
    saltBytes: salt.length,
    keyBytes: key.length,
    verify: async (password) =>
      timingSafeEqual(await derive(password, salt, iterations, key.length, digest), key),
  };
}
