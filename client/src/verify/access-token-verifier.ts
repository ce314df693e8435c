import { errors, jwtVerify } from 'jose';
import type { JWTVerifyOptions } from 'jose';
import { claimsOf } from '../session/access-token.js';
import type { JwksCaches } from './key-sets.js';
import { invalidToken, Refusal } from './refusal.js';

/** RFC 9068, section 2.1. Project keys and run tokens are signed as well, but are not access tokens. */
const TYPE = 'at+jwt';

export interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
  /** The projects whose users are accepted; none in the organization profile. */
  readonly projects: readonly string[] | null;
  readonly clockToleranceSecs: number;
}

/** The user that an access token identifies. */
export interface VerifiedUser {
  readonly type: 'user';
  readonly userId: string;
  readonly sessionId: string;
  readonly email: string;
  /** In the project profile. */
  readonly project: string | null;
  /** 2 with a second factor. */
  readonly aal: 1 | 2;
  /** How the user authenticated (RFC 8176). */
  readonly amr: readonly string[];
  /** When they last did; null if the token does not say. */
  readonly authTime: Date | null;
  readonly expiresAt: Date;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Verifies access tokens with the published keys, without calling the service. */
export class AccessTokenVerifier {
  constructor(
    private readonly jwksCaches: JwksCaches,
    private readonly rules: TokenRules,
  ) {}

  /** @throws Refusal 401 for an invalid token; 503 if the keys are not available */
  async verify(token: string): Promise<VerifiedUser> {
    const { issuer, audience, projects, clockToleranceSecs } = this.rules;
    const project = projects === null ? null : this.projectOf(token, projects);
    const options: JWTVerifyOptions = {
      // One algorithm in each profile: the token does not choose it (RFC 8725, section 3.1).
      algorithms: [project === null ? 'RS256' : 'EdDSA'],
      typ: TYPE,
      issuer,
      audience,
      clockTolerance: clockToleranceSecs,
      requiredClaims: ['sub', 'iat', 'exp', 'sid'],
    };
    try {
      const { payload } = await jwtVerify(token, this.jwksCaches.of(project ?? undefined), options);
      const { sub = '', exp = 0, sid, email, aal, amr, auth_time: authTime } = payload;
      if (project !== null && payload.role !== 'authenticated') throw invalidToken();
      return {
        type: 'user',
        userId: sub,
        sessionId: String(sid),
        email: typeof email === 'string' ? email : '',
        project,
        aal: aal === 2 ? 2 : 1,
        amr: Array.isArray(amr) ? amr.map(String) : [],
        authTime: typeof authTime === 'number' ? new Date(authTime * 1000) : null,
        expiresAt: new Date(exp * 1000),
        claims: payload,
      };
    } catch (error) {
      if (error instanceof errors.JOSEError) throw invalidToken(error);
      throw error instanceof Refusal ? error : invalidToken(error);
    }
  }

  /** The key that has to verify it. The signature covers what the token says here. */
  private projectOf(token: string, projects: readonly string[]): string {
    const ref = claimsOf(token)?.ref;
    if (ref !== undefined && projects.includes(ref)) return ref;
    throw invalidToken();
  }
}
