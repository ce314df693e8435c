import { hkdfSync } from 'node:crypto';
import { KeyRing } from '../../platform/crypto/index.js';

/**
 * Seals a refresh token's successor so that only the token itself opens it: a lost answer can be repeated
 * to whoever still holds the old token, while the database alone yields nothing usable.
 */
function ringOf(token: string): KeyRing {
  const key = Buffer.from(hkdfSync('sha256', token, '', 'service refresh successor', 32));
  return new KeyRing([key.toString('base64')]);
}

const CONTEXT = 'refresh_tokens.sealed_successor';

export function sealSuccessor(token: string, successor: string): Buffer {
  return ringOf(token).seal(successor, CONTEXT);
}

export function openSuccessor(token: string, sealed: Buffer): string {
  return ringOf(token).open(sealed, CONTEXT).toString('utf8');
}
