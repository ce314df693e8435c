import { secretsEqual, sha256 } from '../../platform/crypto/index.js';

/** RFC 7636, section 4.2: S256 of a verifier. */
export const CODE_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
/** RFC 7636, section 4.1. */
export const CODE_VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

export function challengeOf(verifier: string): string {
  return sha256(verifier).toString('base64url');
}

/**
 * Whether the verifier is the one of the challenge. Without a challenge, there must be none: a code that somebody else
 * got without one would else pass for the application's own (RFC 9700, section 4.8.2).
 */
export function meetsChallenge(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null) return verifier === null;
  return verifier !== null && secretsEqual(challengeOf(verifier), challenge);
}
