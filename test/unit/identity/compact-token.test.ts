import { decodeProtectedHeader, jwtVerify } from 'jose';
import { generateKeyPairSync } from 'node:crypto';
import type { KeyPairKeyObjectResult } from 'node:crypto';
import { signCompactly } from '../../../src/identity/token-signers/compact-token.js';

const CLAIMS = { iss: 'https://auth.example.com', org: 'Grüße 🌍', attempt: 3, exp: 4_000_000_000 };

describe('a token that is signed compactly', () => {
  it.each<[string, () => KeyPairKeyObjectResult]>([
    ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['EdDSA', () => generateKeyPairSync('ed25519')],
    ['RS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ])('with %s verifies under the header and the claims that it was given', async (algorithm, generate) => {
    const { publicKey, privateKey } = generate();
    // The length of r and s in DER varies from one signature to the next.
    for (let nth = 0; nth < 20; nth += 1) {
      const token = signCompactly({ kid: 'key-1', algorithm, privateKey }, 'run+jwt', { ...CLAIMS, nth });
      const options = { algorithms: [algorithm], typ: 'run+jwt', issuer: CLAIMS.iss };
      const { payload, protectedHeader } = await jwtVerify(token, publicKey, options);
      expect(payload).toEqual({ ...CLAIMS, nth });
      expect(protectedHeader).toEqual({ alg: algorithm, typ: 'run+jwt', kid: 'key-1' });
      expect(decodeProtectedHeader(token)).toEqual(protectedHeader);
    }
  });
});
