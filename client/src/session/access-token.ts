/** Some of the claims of a token, unverified: to know what it says, not whether it is true. */
export interface TokenClaims {
  readonly [name: string]: unknown;
  readonly iat?: number;
  readonly exp?: number;
  readonly sub?: string;
  readonly ref?: string;
}

/** The claims of a JSON Web Token; null of anything else. */
export function claimsOf(token: string): TokenClaims | null {
  const payload = token.split('.')[1];
  if (payload === undefined) return null;
  try {
    const binary = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? (claims as TokenClaims) : null;
  } catch {
    return null;
  }
}

/** How long a token lives from its making, milliseconds: this machine's clock need not agree with the service's. */
export function lifeOf(token: string): number | null {
  const { iat, exp } = claimsOf(token) ?? {};
  return typeof iat === 'number' && typeof exp === 'number' && exp > iat ? (exp - iat) * 1000 : null;
}
