import { Secret } from 'otpauth';
import { sha256 } from '../../platform/crypto/index.js';

const CODES = 10;
/** 80 bits: too many to try, even for somebody who has the database, so that a fast hash is enough. */
const CODE_BYTES = 10;

/** Ten new codes, each of four groups of four characters of base32. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const characters = new Secret({ size: CODE_BYTES }).base32.toLowerCase();
    return (characters.match(/.{4}/g) ?? []).join('-');
  });
}

/** The same for a code however its groups are written. Bound to the account: equal codes of two have two hashes. */
export function recoveryCodeHash(userId: string, code: string): Buffer {
  return sha256(`${userId}:${code.toLowerCase().replace(/[^a-z2-7]/g, '')}`);
}
