import argon2 from 'argon2';
import { timingSafeEqual } from 'node:crypto';
import { NUMBER, unpaddedBase64 } from './hash-text.js';
import type { ImportedHash } from './hash-text.js';

/** The form of the reference implementation. Version 16 is the one where the text has none. */
const FORM = new RegExp(
  `^\\$argon2(id|i|d)(?:\\$v=(16|19))?\\$m=${NUMBER},t=${NUMBER},p=${NUMBER}\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)$`,
);

const TYPES = { d: argon2.argon2d, i: argon2.argon2i, id: argon2.argon2id } as const;

/** Memory times passes: 64 MiB eight times, or 128 MiB four times. */
const MAX_WORK = 524_288;
/** RFC 9106, section 3.1: at least eight blocks of 1 KiB for each lane. */
const BLOCKS_PER_LANE = 8;

/** Argon2 (RFC 9106) as a PHC string, without `keyid` and `data`. */
export function argon2Hash(text: string): ImportedHash | null {
  const [, type, version = '16', m, t, p, saltText = '', keyText = ''] = FORM.exec(text) ?? [];
  const [salt, key] = [unpaddedBase64(saltText), unpaddedBase64(keyText)];
  if (type === undefined || salt === null || key === null) return null;
  const [memoryCost, timeCost, parallelism] = [Number(m), Number(t), Number(p)];
  if (memoryCost < BLOCKS_PER_LANE * parallelism) return null;
  return {
    kind: `$argon2${type}$v=${version}$m=${memoryCost},t=${timeCost},p=${parallelism}`,
    memoryKib: memoryCost,
    lanes: parallelism,
    threads: parallelism,
    work: { amount: memoryCost * timeCost, limit: MAX_WORK, unit: 'KiB × passes' },
    saltBytes: salt.length,
    keyBytes: key.length,
    verify: async (password) => {
      const options = { memoryCost, timeCost, parallelism, salt, hashLength: key.length, raw: true } as const;
      const made = { ...options, type: TYPES[type as keyof typeof TYPES], version: Number(version) };
      return timingSafeEqual(await argon2.hash(password, made), key);
    },
  };
}
