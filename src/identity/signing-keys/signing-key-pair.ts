import { calculateJwkThumbprint, exportJWK } from 'jose';
import { createPrivateKey, generateKeyPair } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { UnsealError } from '../../platform/crypto/index.js';
import type { KeyRing, SealedPlace } from '../../platform/crypto/index.js';
import { StartupError } from '../../platform/startup/index.js';

const RSA_BITS = 2048;
const ALGORITHM = 'RS256';

/** A fresh key pair, its private half sealed already. */
export interface MintedKey {
  /** The thumbprint of the public key (RFC 7638). */
  readonly kid: string;
  readonly algorithm: string;
  readonly publicJwk: JsonWebKey;
  readonly sealedPrivateKey: Buffer;
}

/** The place of a sealed private key. */
export function signingKeyPlace(kid: string): SealedPlace {
  return { tenantId: null, table: 'signing_keys', column: 'sealed_private_key', row: kid };
}

export async function mintSigningKey(keyRing: KeyRing): Promise<MintedKey> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  return {
    kid,
    algorithm: ALGORITHM,
    publicJwk: { ...publicJwk, kid, alg: ALGORITHM, use: 'sig' },
    sealedPrivateKey: keyRing.seal(pem, signingKeyPlace(kid)),
  };
}

/** @throws StartupError that says what to do when the configured data keys do not open it */
export function openSigningKey(keyRing: KeyRing, kid: string, sealed: Buffer): KeyObject {
  try {
    return createPrivateKey(keyRing.open(sealed, signingKeyPlace(kid)).toString('utf8'));
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw new StartupError(
      'identity.data_key does not open the signing keys in this database; ' +
        'start with the data key that the database was first used with (or list it in identity.data_key_previous)',
      { cause: error },
    );
  }
}
