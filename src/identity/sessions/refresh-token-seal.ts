import { hkdfSync } from 'node:crypto';
import { KeyRing } from '../../platform/crypto/index.js';
import type { SealedPlace } from '../../platform/crypto/index.js';

/**
 * Seals a refresh token's successor so that only the token itself opens it: a lost answer can be repeated
 * to whoever still holds the old token, while the database alone yields nothing usable.
 */
function ringOf(token: string): KeyRing {
  const key = Buffer.from(hkdfSync('sha256', token, '', 'service refresh successor', 32));
  return new KeyRing([key.toString('base64')]);
}

/** The key is the token's own, which no other row has: there is no row and no tenant to bind besides. */
const PLACE: SealedPlace = {
  tenantId: null,
  table: 'refresh_tokens',
  column: 'sealed_successor',
  row: '',
};

export function sealSuccessor(token: string, successor: string): Buffer {
  return ringOf(token).sealAs('row', successor, PLACE);
}

export function openSuccessor(token: string, sealed: Buffer): string {
  return ringOf(token).openAs(['row'], sealed, PLACE).toString('utf8');
}
