import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export const ISSUER = 'bench';
export const AUDIENCE = 'bench';
const KID = 'bench';

/**
 * Issues tokens to the peers as the service issues its own: RS256, 2048 bits, the same claims.
 * @returns {Promise<{ keys: object, tokenOf: (user: string) => Promise<string> }>}
 */
export async function createIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { modulusLength: 2048 });
  const key = { ...(await exportJWK(publicKey)), kid: KID, alg: 'RS256', use: 'sig' };
  const tokenOf = (user) =>
    new SignJWT({
      sid: randomUUID(),
      email: 'ada@example.com',
      email_verified: false,
    })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: KID })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(user)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey);
  return { keys: { keys: [key] }, tokenOf };
}
