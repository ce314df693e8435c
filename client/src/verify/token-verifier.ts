import { errors, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import { claimsOf } from '../session/access-token.js';
import type { JwksCaches } from './key-sets.js';
import { invalidToken, Refusal } from './refusal.js';

/**
 * What kind of token it is says its header, so that none passes for another (RFC 8725, section 3.11). Project keys are
 * signed as well, and are neither. Each has one algorithm in each profile: the token does not choose it (section 3.1).
 */
const KINDS = {
  /** RFC 9068, section 2.1. */
  access: { typ: 'at+jwt', organization: 'RS256', requiredClaims: ['sub', 'iat', 'exp', 'sid'] },
  run: {
    typ: 'run+jwt',
    organization: 'ES256',
    requiredClaims: ['iat', 'exp', 'run_id', 'attempt', 'act', 'perms'],
  },
} as const;
const OF_PROJECTS = 'EdDSA';

export interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
  /** The projects whose tokens are accepted; none in the organization profile. */
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

/** The attempt of a run whose handler a run token was made for. */
export interface VerifiedRun {
  readonly type: 'run';
  /** Id of the organization, or `ref` of the project. */
  readonly tenant: string;
  readonly runId: string;
  readonly attempt: number;
  /** Who set the run going, or asked for it to be repeated: `user:<id>`, `key:<id>`, `cron:<position>` and so on. */
  readonly actor: string;
  /**
   * What it may do in its tenant, at most: `*`, or `<capability>:<resource>:<action>` with `*` in any place. Of a job with
   * `acts_as: "caller"`, what the actor could do as the attempt began.
   */
  readonly permissions: readonly string[];
  /** The user of a project as whom it acts; null otherwise. */
  readonly userId: string | null;
  readonly expiresAt: Date;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Verifies tokens with the published keys, without calling the service. */
export class TokenVerifier {
  constructor(
    private readonly jwksCaches: JwksCaches,
    private readonly rules: TokenRules,
  ) {}

  /** @throws Refusal 401 for an invalid token; 503 if the keys are not available */
  async user(token: string): Promise<VerifiedUser> {
    const { payload, project } = await this.verified(token, 'access');
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
  }

  /** @throws Refusal 401 for an invalid token; 503 if the keys are not available */
  async run(token: string): Promise<VerifiedRun> {
    const { payload, project } = await this.verified(token, 'run');
    const { exp = 0, role, sub, org, run_id: runId, attempt, act, perms } = payload;
    const tenant = project ?? org;
    const actor = (act as { sub?: unknown } | null)?.sub;
    const isOfService = role === 'service_role' && sub === undefined;
    const isOfUser = project !== null && role === 'authenticated' && isText(sub) && sub !== '';
    const isWhole = isText(tenant) && isText(runId) && Number.isInteger(attempt) && isText(actor);
    if (!isWhole || !(isOfService || isOfUser) || !Array.isArray(perms) || !perms.every(isText))
      throw invalidToken();
    return {
      type: 'run',
      tenant,
      runId,
      attempt: Number(attempt),
      actor,
      permissions: perms,
      userId: sub ?? null,
      expiresAt: new Date(exp * 1000),
      claims: payload,
    };
  }

  private async verified(
    token: string,
    name: keyof typeof KINDS,
  ): Promise<{ payload: JWTPayload; project: string | null }> {
    const { issuer, audience, projects, clockToleranceSecs } = this.rules;
    const project = projects === null ? null : this.projectOf(token, projects);
    const { typ, organization, requiredClaims } = KINDS[name];
    try {
      const { payload } = await jwtVerify(token, this.jwksCaches.of(project ?? undefined), {
        algorithms: [project === null ? organization : OF_PROJECTS],
        typ,
        issuer,
        audience,
        clockTolerance: clockToleranceSecs,
        requiredClaims: [...requiredClaims],
      });
      return { payload, project };
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

function isText(claim: unknown): claim is string {
  return typeof claim === 'string';
}
