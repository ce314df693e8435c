import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { rawRequest } from '../../support/raw-http.js';
import { bearer } from './case.js';
import type { Ground, MalformedRequest } from './case.js';

type Claims = Record<string, unknown>;

const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PROFILE = '/auth/v1/user';

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function unsigned(ground: Ground, header: Claims): string {
  return `${part({ typ: 'at+jwt', kid: ground.kid, ...header })}.${part(ground.goodClaims)}`;
}

/** An HMAC under text that anyone can read: the key confusion of https://www.rfc-editor.org/rfc/rfc8725#section-2.1 */
function hmacSigned(ground: Ground, secret: string): string {
  const signed = unsigned(ground, { alg: 'HS256' });
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function strangerSigned(ground: Ground, header: Claims = {}): string {
  const signed = unsigned(ground, { alg: 'RS256', ...header });
  return `${signed}.${createSign('sha256').update(signed).sign(stranger.privateKey, 'base64url')}`;
}

function refused(title: string, token: (ground: Ground) => string | Promise<string>): MalformedRequest {
  return {
    title,
    request: async (ground) => rawRequest('GET', PROFILE, [bearer(await token(ground))]),
    status: 401,
    code: 'invalid_access_token',
  };
}

function refusedHeader(title: string, header: (ground: Ground) => string): MalformedRequest {
  return {
    title,
    request: (ground) => rawRequest('GET', PROFILE, [header(ground)]),
    status: 401,
    code: 'invalid_access_token',
  };
}

/** The same as a good token but for these claims. */
function claiming(title: string, claims: (nowSecs: number) => Claims): MalformedRequest {
  return refused(title, (ground) =>
    ground.sign({ ...ground.goodClaims, ...claims(Math.floor(Date.now() / 1000)) }),
  );
}

/** Credentials that prove nothing. */
export const malformedTokens: readonly MalformedRequest[] = [
  {
    title: 'a request without credentials',
    request: () => rawRequest('GET', PROFILE),
    status: 401,
    code: 'unauthenticated',
  },
  refused('an unsigned token (alg none)', (ground) => `${unsigned(ground, { alg: 'none' })}.`),
  refused('an unsigned token whose alg is spelt NoNe', (ground) => `${unsigned(ground, { alg: 'NoNe' })}.`),
  refused('HS256 under the public key as PEM', (ground) => hmacSigned(ground, ground.publicPem)),
  refused('HS256 under the public key as JWK', (ground) =>
    hmacSigned(ground, JSON.stringify(ground.publicJwk)),
  ),
  refused('HS256 under nothing', (ground) => hmacSigned(ground, '')),
  refused("a user's token signed with the key of run tokens", (ground) =>
    ground.signAsRun({ ...ground.goodClaims }),
  ),
  refused("a user's token that names the key of run tokens and another algorithm", (ground) =>
    ground.signAsRun({ ...ground.goodClaims }, { kid: ground.kid }),
  ),
  refused("a stranger's signature", (ground) => strangerSigned(ground)),
  refused('a token that brings its own key', (ground) =>
    strangerSigned(ground, { jwk: stranger.publicKey.export({ format: 'jwk' }) }),
  ),
  refused('a token that says where its key is', (ground) =>
    strangerSigned(ground, { jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9/cert' }),
  ),
  refused('an unknown kid', (ground) => strangerSigned(ground, { kid: 'unknown' })),
  refused('a kid that is a path', (ground) => strangerSigned(ground, { kid: '../../../etc/passwd' })),
  refused('a kid that is SQL', (ground) => strangerSigned(ground, { kid: "' OR '1'='1" })),
  refused('a kid that is no text', (ground) => strangerSigned(ground, { kid: { $ne: null } })),
  refused('a kid that every object has', (ground) => strangerSigned(ground, { kid: '__proto__' })),
  refused('no kid', (ground) => strangerSigned(ground, { kid: undefined })),
  refused('the typ of another kind of token', (ground) => ground.sign(ground.goodClaims, { typ: 'JWT' })),
  refused('no typ', (ground) => ground.sign(ground.goodClaims, { typ: undefined })),
  refused('an altered payload', (ground) => {
    const [header = '', , signature = ''] = ground.accessToken.split('.');
    return `${header}.${part({ ...ground.goodClaims, sub: '019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c11' })}.${signature}`;
  }),
  refused('a missing signature', (ground) => ground.accessToken.replace(/[^.]*$/, '')),
  refused('an encrypted token', ({ accessToken }) => `${accessToken}.${part({})}.${part({})}`),
  claiming('an expired token', (now) => ({ iat: now - 7200, exp: now - 3600 })),
  claiming('a token that is not good yet', (now) => ({ nbf: now + 3600 })),
  claiming('the issuer of another deployment', () => ({ iss: 'elsewhere' })),
  claiming('the audience of another service', () => ({ aud: 'elsewhere' })),
  claiming('a list of audiences without ours', () => ({ aud: ['elsewhere', 'nowhere'] })),
  claiming('no issuer', () => ({ iss: undefined })),
  claiming('no audience', () => ({ aud: undefined })),
  claiming('no expiry', () => ({ exp: undefined })),
  claiming('no subject', () => ({ sub: undefined })),
  claiming('a subject that is no id of ours', () => ({ sub: "' OR 1=1 --" })),
  claiming('no session', () => ({ sid: undefined })),
  refused('a token whose header is junk', () => 'not.a.token'),
  refused('a token of one part', ({ marker }) => marker),
  refused('a token whose header is JSON null', (ground) => `${part(null)}.${part(ground.goodClaims)}.AAAA`),
  refused('a very long token', () => 'A'.repeat(8000)),
  refusedHeader('an empty bearer', () => 'Authorization: Bearer '),
  refusedHeader('an empty authorization', () => 'Authorization:'),
  refusedHeader('another scheme', ({ marker }) => `Authorization: Basic ${marker}`),
  refusedHeader('a token without its scheme', ({ accessToken }) => `Authorization: ${accessToken}`),
  refusedHeader('bytes that are no text', () => 'Authorization: Bearer \xff\xfe\xfd'),
  {
    title: 'two Authorization headers',
    request: ({ accessToken }) =>
      rawRequest('GET', PROFILE, [bearer(accessToken), `authorization: Bearer ${accessToken}`]),
    status: 400,
    code: 'repeated_header',
  },
];
