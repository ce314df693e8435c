import { createPublicKey } from 'node:crypto';
import jwt from '@fastify/jwt';
import { settings } from './settings.mjs';

/**
 * Adds `request.jwtVerify` to a Fastify program, with the cache of verified tokens. As the documentation of fast-jwt
 * recommends for speed, the token itself is the key of the cache.
 */
export async function registerTokens(app) {
  const { keys } = await (await fetch(settings.keysUrl)).json();
  const publicKey = createPublicKey({ key: keys[0], format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  await app.register(jwt, {
    secret: { public: publicKey },
    verify: {
      algorithms: ['RS256'],
      allowedIss: settings.issuer,
      allowedAud: settings.audience,
      cache: true,
      cacheKeyBuilder: (token) => token,
    },
  });
}

/** A hook that refuses requests without a valid token. */
export async function authenticate(request, reply) {
  try {
    await request.jwtVerify();
  } catch {
    await reply.code(401).send({ error: 'unauthenticated' });
  }
}
