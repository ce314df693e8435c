import { sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** A private key and the names under which its public key is published. */
export interface TokenKey {
  readonly kid: string;
  /** RFC 7518, section 3.1, and RFC 8037 */
  readonly algorithm: string;
  readonly privateKey: KeyObject;
}

/**
 * Signs a JWT (RFC 7515, section 3.1) in the calling thread: for an elliptic curve the way to a thread of the pool and
 * back costs more than the signature.
 */
export function signCompactly({ kid, algorithm, privateKey }: TokenKey, typ: string, claims: object): string {
  const header = encode({ alg: algorithm, typ, kid });
  const content = `${header}.${encode(claims)}`;
  // ES256 signs r and s as they are (RFC 7518, section 3.4), not in DER.
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  const signature = sign(algorithm === 'EdDSA' ? null : 'sha256', Buffer.from(content), key);
  return `${content}.${signature.toString('base64url')}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
