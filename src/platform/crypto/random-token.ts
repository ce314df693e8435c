import { hash, timingSafeEqual, randomBytes } from 'node:crypto';

/** 32 random bytes as 43 characters of base64url. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 of UTF-8 text or bytes: 32 bytes. Right for random secrets of 256 bits, never for passwords. */
export function sha256(value: string | Buffer): Buffer {
  return hash('sha256', value, 'buffer');
}

/** Compares secrets in constant time. The digests make the lengths equal, which `timingSafeEqual` demands. */
export function secretsEqual(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}
