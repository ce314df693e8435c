import type { MaybePromise } from '../../cache-invalidation/index.js';
import type { RunRights } from '../../http/index.js';
import type { UserEntity } from '../users/user.repository.js';

/** The `typ` of an access token (RFC 9068, section 2.1), which distinguishes it from every other signed token. */
export const ACCESS_TOKEN_TYPE = 'at+jwt';

/** The `typ` of the token in a call to a handler (contract, section 6). */
export const RUN_TOKEN_TYPE = 'run+jwt';
export const SERVICE_ROLE = 'service_role';

export interface AccessToken {
  readonly token: string;
  readonly expiresAt: Date;
  readonly expiresInSecs: number;
}

/** 2 where a second factor was proven (NIST SP 800-63B). */
export type AssuranceLevel = 1 | 2;

/** How the user of a session proved who they are. */
export interface Authentication {
  /** Of the last proof. */
  readonly authTime: Date;
  /** RFC 8176. */
  readonly amr: readonly string[];
  readonly aal: AssuranceLevel;
}

/** The session that an access token is of. */
export interface SignedSession extends Authentication {
  readonly sessionId: string;
}

/** The claims that say how the user proved who they are (OpenID Connect Core, section 2; RFC 8176). */
export interface AuthenticationClaims {
  /** Seconds since the epoch. */
  readonly auth_time: number;
  readonly amr: readonly string[];
  /** 2 where a second factor was proven. */
  readonly aal: AssuranceLevel;
}

export function authenticationClaims({ authTime, amr, aal }: Authentication): AuthenticationClaims {
  return { auth_time: Math.floor(authTime.getTime() / 1000), amr, aal };
}

/**
 * Signs the access tokens of sessions (RFC 7519, RFC 9068). The profile decides which key signs, what the token claims
 * and how long it lives.
 */
export abstract class AccessTokenSigner {
  /** Whether there are keys to sign and to verify with. */
  abstract readonly isReady: boolean;

  /** Signs an access token for a session of the user, in the user's realm. */
  abstract issue(user: UserEntity, session: SignedSession): Promise<AccessToken>;
}

/** Whom an access token stands for. */
export interface TokenSubject {
  readonly userId: string;
  readonly sessionId: string;
}

/** Verifies the access tokens by which people operate the deployment. The profile decides what those are. */
export abstract class OperatorTokens {
  /** Null for what is no such token or has expired. Whether the account is an operator's is still to be asked. */
  abstract verifyOperatorToken(token: string): Promise<TokenSubject | null>;
}

export interface RunTokenSubject extends RunRights {
  readonly runId: string;
  readonly attempt: number;
  readonly tenantId: string;
  /** Who set the run going: `user:<id>` and so on, the claim `act` (RFC 8693, section 4.1). */
  readonly actor: string;
}

/**
 * Signs the tokens with which handlers act. The profile decides which key signs and what they claim. `typ` and `role` tell
 * them from users' tokens; only that of a run that acts as a user of a project has a `sub`, by which policies on rows tell
 * whose they are.
 */
export abstract class RunTokenIssuer {
  /** @param lifeMs how long the attempt may take; the token expires with it, rounded up to a second */
  abstract issue(subject: RunTokenSubject, lifeMs: number): MaybePromise<string>;
}
