import type { UserEntity } from '../users/user.entity.js';

/** The `typ` of an access token (RFC 9068, section 2.1), which tells it from every other signed token. */
export const ACCESS_TOKEN_TYPE = 'at+jwt';

export interface AccessToken {
  readonly token: string;
  readonly expiresAt: Date;
  readonly expiresInSecs: number;
}

/**
 * Makes the access tokens of sessions (RFC 7519, RFC 9068). Which key signs, what the token claims and how long it
 * lives is the profile's: its module provides this, and the core only asks.
 */
export abstract class AccessTokenSigner {
  /** Whether there are keys to sign and to verify with. */
  abstract readonly isReady: boolean;

  /** Signs an access token for a session of the user, in the realm that the user belongs to. */
  abstract issue(user: UserEntity, sessionId: string): Promise<AccessToken>;
}
