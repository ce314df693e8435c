import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { github } from './schemes.js';
import { gitlab } from './schemes.js';
import { plain } from './schemes.js';
import type {
  Claim,
  SignatureFormat,
  SignatureRule,
  SignatureScheme,
  SignedRequest,
} from './signature-scheme.js';
import { slack } from './schemes.js';
import { standard } from './schemes.js';
import { stripe } from './schemes.js';

const SCHEMES: Readonly<Record<SignatureFormat, SignatureScheme>> = {
  plain,
  github,
  gitlab,
  stripe,
  slack,
  standard,
};
/** Used in place of a missing key, so that the check takes the same time without a secret. */
const NO_KEY = randomBytes(32);

/**
 * Whether the request was signed with the secret according to the rule, and recently if the format has a timestamp.
 * Takes the same work whatever the result, also without a secret.
 */
export function isSigned(
  request: SignedRequest,
  rule: SignatureRule,
  secret: string | null,
  now: Date,
): boolean {
  const scheme = SCHEMES[rule.format];
  const keys = secret === null || secret === '' ? [] : scheme.keysOf(secret);
  const { content, signatures, signedAt } = scheme.read(request, rule);
  let matches = false;
  for (const key of keys.length === 0 ? [NO_KEY] : keys) {
    const expected = createHmac(rule.algorithm, key).update(content).digest();
    for (const signature of signatures) if (isSameDigest(signature, expected)) matches = true;
  }
  return matches && keys.length > 0 && isTimely(signedAt, rule.toleranceSecs, now);
}

/** `timingSafeEqual` throws on unequal lengths; a length is not a secret. */
function isSameDigest(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function isTimely(signedAt: Claim['signedAt'], toleranceSecs: number, now: Date): boolean {
  if (signedAt === 'unsigned') return true;
  if (signedAt === 'missing') return false;
  return Math.abs(Math.floor(now.getTime() / 1000) - signedAt) <= toleranceSecs;
}
