import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Of each password's SHA-256; scripts/most-used-passwords.mjs uses the same length. */
const DIGEST_BYTES = 5;

/**
 * The most used passwords, as sorted digests in half a megabyte (README.md names their source). They are in memory, so
 * that a look-up takes microseconds and sends nothing to anyone.
 */
export class MostUsedPasswords {
  private readonly digests = readFileSync(new URL('./most-used-passwords.bin', import.meta.url));

  /** Whether it is one of them, in upper or lower case. */
  has(password: string): boolean {
    const folded = password.normalize('NFC').toLowerCase();
    const wanted = createHash('sha256').update(folded).digest().subarray(0, DIGEST_BYTES);
    let low = 0;
    let high = this.digests.length / DIGEST_BYTES - 1;
    while (low <= high) {
      const middle = Math.floor((low + high) / 2);
      const order = this.at(middle).compare(wanted);
      if (order === 0) return true;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return false;
  }

  private at(index: number): Buffer {
    return this.digests.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES);
  }
}
