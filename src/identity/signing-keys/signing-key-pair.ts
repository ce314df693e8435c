import { calculateJwkThumbprint, exportJWK } from 'jose';
import { createPrivateKey, generateKeyPair } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { UnsealError } from '../../platform/crypto/index.js';
import type { KeyRing, AssociatedData } from '../../platform/crypto/index.js';
import { StartupError } from '../../platform/startup/index.js';

const RSA_BITS = 2048;

/** The algorithms by which the deployment signs (RFC 7518, section 3.1). */
export const ACCESS_TOKEN_ALGORITHM = 'RS256';
/** An attempt of a run costs one signature, and this algorithm signs ten times as fast. */
export const RUN_TOKEN_ALGORITHM = 'ES256';

/** A fresh signing key with its companion for run tokens; the private halves are sealed already. */
export interface MintedKey {
  /** The thumbprint of the public key (RFC 7638). */
  readonly kid: string;
  readonly algorithm: string;
  readonly publicJwk: JsonWebKey;
  readonly sealedPrivateKey: Buffer;
  readonly runPublicJwk: JsonWebKey;
  readonly sealedRunPrivateKey: Buffer;
}

/** The associated data of a sealed private key. */
export function signingKeyAssociatedData(kid: string): AssociatedData {
  return { tenantId: null, table: 'signing_keys', column: 'sealed_private_key', row: kid };
}

/** The associated data of the sealed private key for run tokens. @param kid of the signing key whose companion it is */
export function runTokenKeyAssociatedData(kid: string): AssociatedData {
  return { tenantId: null, table: 'signing_keys', column: 'sealed_run_private_key', row: kid };
}

export async function mintSigningKey(keyRing: KeyRing): Promise<MintedKey> {
  const [pair, runPair] = await Promise.all([
    promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS }),
    promisify(generateKeyPair)('ec', { namedCurve: 'P-256' }),
  ]);
  const publicJwk = await publishedJwk(pair.publicKey, ACCESS_TOKEN_ALGORITHM);
  return {
    kid: publicJwk.kid,
    algorithm: ACCESS_TOKEN_ALGORITHM,
    publicJwk,
    sealedPrivateKey: keyRing.seal(pemOf(pair.privateKey), signingKeyAssociatedData(publicJwk.kid)),
    runPublicJwk: await publishedJwk(runPair.publicKey, RUN_TOKEN_ALGORITHM),
    sealedRunPrivateKey: keyRing.seal(pemOf(runPair.privateKey), runTokenKeyAssociatedData(publicJwk.kid)),
  };
}

async function publishedJwk(publicKey: KeyObject, alg: string): Promise<JsonWebKey & { kid: string }> {
  const jwk = await exportJWK(publicKey);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg, use: 'sig' };
}

function pemOf(privateKey: KeyObject): string | Buffer {
  return privateKey.export({ type: 'pkcs8', format: 'pem' });
}

/** @throws StartupError that says what to do when the configured data keys do not open it */
export function openSigningKey(keyRing: KeyRing, sealed: Buffer, associatedData: AssociatedData): KeyObject {
  try {
    return createPrivateKey(keyRing.open(sealed, associatedData).toString('utf8'));
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw new StartupError(
      'identity.data_key does not open the signing keys in this database; ' +
        'start with the data key that the database was first used with (or list it in identity.data_key_previous)',
      { cause: error },
    );
  }
}
