/** Some claims of a token, unverified: what it says, not whether it is true. */
export interface TokenClaims {
  readonly [name: string]: unknown;
  readonly iat?: number;
  readonly exp?: number;
  readonly sub?: string;
  readonly ref?: string;
}

/** The claims of a JSON Web Token; null for anything else. */
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

/** The lifetime of a token, in milliseconds. The clocks of this machine and of the service may differ. */
export function lifeOf(token: string): number | null {
  const { iat, exp } = claimsOf(token) ?? {};
  return typeof iat === 'number' && typeof exp === 'number' && exp > iat ? (exp - iat) * 1000 : null;
}
