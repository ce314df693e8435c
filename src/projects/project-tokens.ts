import { Inject, Injectable } from '@nestjs/common';
import { decodeJwt, errors, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import {
  ACCESS_TOKEN_TYPE,
  PROJECT_AUDIENCE,
  PROJECT_TOKEN_ALGORITHM,
  PROJECT_USER_ROLE,
  RUN_TOKEN_TYPE,
  SERVICE_ROLE,
  signProjectToken,
} from '../identity/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { isUuid, VerifiedTokens } from '../platform/crypto/index.js';
import type { ProjectKeyCaller, RunCaller, UserCaller } from '../http/index.js';
import { Clock } from '../platform/lifecycle/index.js';
import { ProjectKeys } from './keys/project-keys.js';
import type { ProjectKey } from './keys/project-keys.js';
import { ProjectDirectory } from './project-directory.js';
import type { Project, ProjectKeyRole } from './project.repository.js';

/** The `typ` of anon and service keys. */
export const PROJECT_KEY_TYPE = 'key+jwt';

const KEY_LIFETIME_YEARS = 10;
/** About a kilobyte each. */
const MAX_TOKENS = 10_000;

/** The claims of a token, and the `typ` of its header. */
type TokenClaims = JWTPayload & { readonly typ: string | undefined };

/** The project and the caller of a verified token. */
export interface VerifiedToken {
  readonly project: Project;
  readonly caller: UserCaller | ProjectKeyCaller | RunCaller;
}

/** The anon and service keys of projects, and the verification of all their tokens (contract, section 6). */
@Injectable()
export class ProjectTokens {
  /** What tokens claim whose signature was verified lately. Whom they stand for is found out at each use. */
  private readonly verified = new VerifiedTokens<TokenClaims>(MAX_TOKENS);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly directory: ProjectDirectory,
    private readonly keys: ProjectKeys,
    private readonly clock: Clock,
  ) {}

  /** The project's current key. Ed25519 is deterministic, so the text stays the same until the key is rotated. */
  async keyOf(project: Project, role: ProjectKeyRole): Promise<string> {
    const [jti, issuedAt] =
      role === 'anon' ? [project.anonKeyId, project.anonKeyAt] : [project.serviceKeyId, project.serviceKeyAt];
    const expiresAt = new Date(issuedAt);
    expiresAt.setUTCFullYear(expiresAt.getUTCFullYear() + KEY_LIFETIME_YEARS);
    const key = { ref: project.ref, ...(await this.keys.of(project.ref)) };
    return signProjectToken(this.config.identity.jwtIssuer, key, PROJECT_KEY_TYPE, {
      role,
      jti,
      iat: secondsOf(issuedAt),
      exp: secondsOf(expiresAt),
    });
  }

  /** The caller of a token; null for a token that is not a project's or is no longer valid. */
  async verifyProjectToken(token: string): Promise<VerifiedToken | null> {
    const ref = refOf(token);
    const project = ref === null ? null : await this.directory.findByRef(ref);
    const key = project === null ? null : await this.keyFor(project.ref);
    if (project === null || key === null) return null;
    const now = this.clock.now();
    const known = this.verified.find(token, now.getTime(), () => key.publicKey);
    if (known !== undefined) return verifiedFor(project, known);
    try {
      const { payload, protectedHeader } = await jwtVerify(token, key.publicKey, {
        algorithms: [PROJECT_TOKEN_ALGORITHM],
        issuer: this.config.identity.jwtIssuer,
        audience: PROJECT_AUDIENCE,
        requiredClaims: ['exp', 'iat'],
        currentDate: now,
      });
      const claims = { ...payload, typ: protectedHeader.typ };
      const { exp = 0, nbf } = payload;
      this.verified.keep(token, { claims, keyId: project.ref, key: key.publicKey, exp, nbf });
      return verifiedFor(project, claims);
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  /** The attempt of a run whose token this is, also once the token has expired; null for anything else. */
  async verifyAttempt(token: string): Promise<VerifiedToken | null> {
    const ref = refOf(token);
    const project = ref === null ? null : await this.directory.findByRef(ref);
    const key = project === null ? null : await this.keyFor(project.ref);
    if (project === null || key === null) return null;
    try {
      const { payload } = await jwtVerify(token, key.publicKey, {
        algorithms: [PROJECT_TOKEN_ALGORITHM],
        typ: RUN_TOKEN_TYPE,
        issuer: this.config.identity.jwtIssuer,
        audience: PROJECT_AUDIENCE,
        requiredClaims: ['exp', 'iat'],
        currentDate: this.clock.now(),
        clockTolerance: Number.MAX_SAFE_INTEGER,
      });
      return verifiedFor(project, { ...payload, typ: RUN_TOKEN_TYPE });
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  /** Null when the project has just been deleted with its file. @throws Error when its file is missing or invalid */
  private async keyFor(ref: string): Promise<ProjectKey | null> {
    try {
      return await this.keys.of(ref);
    } catch (error) {
      if ((await this.directory.findByRef(ref)) === null) return null;
      throw error;
    }
  }
}

function secondsOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}

/** The ref that an unverified token claims, which decides whose key has to verify it. */
function refOf(token: string): string | null {
  try {
    const { ref } = decodeJwt(token);
    return typeof ref === 'string' ? ref : null;
  } catch {
    return null;
  }
}

function verifiedFor(project: Project, claims: TokenClaims): VerifiedToken | null {
  const caller = callerOf(project, claims);
  return caller === null ? null : { project, caller };
}

/** The caller of a token whose signature holds. One type of token never stands for another. */
function callerOf(project: Project, claims: TokenClaims): VerifiedToken['caller'] | null {
  const { typ, role, sub, sid, email, jti } = claims;
  if (typ === RUN_TOKEN_TYPE) return runOf(project, claims);
  if (typ === ACCESS_TOKEN_TYPE) {
    const isWhole =
      role === PROJECT_USER_ROLE &&
      typeof sub === 'string' &&
      isUuid(sub) &&
      typeof sid === 'string' &&
      typeof email === 'string';
    return isWhole ? { type: 'user', userId: sub, sessionId: sid, email } : null;
  }
  if (typ !== PROJECT_KEY_TYPE || (role !== 'anon' && role !== 'service_role')) return null;
  const keyId = role === 'anon' ? project.anonKeyId : project.serviceKeyId;
  return jti === keyId ? { type: 'project_key', keyId, role, projectId: project.id, ref: project.ref } : null;
}

function runOf(
  project: Project,
  { role, sub, run_id: runId, attempt, perms }: TokenClaims,
): VerifiedToken['caller'] | null {
  const isOfService = role === SERVICE_ROLE && sub === undefined;
  const isOfUser = role === PROJECT_USER_ROLE && typeof sub === 'string' && isUuid(sub);
  const isWhole = typeof runId === 'string' && typeof attempt === 'number' && isTexts(perms);
  if (!isWhole || !(isOfService || isOfUser)) return null;
  const rights = { permissions: perms, userId: sub ?? null };
  return { type: 'run', runId, attempt, tenantId: project.id, ...rights };
}

function isTexts(claim: unknown): claim is string[] {
  return Array.isArray(claim) && claim.every((item) => typeof item === 'string');
}
