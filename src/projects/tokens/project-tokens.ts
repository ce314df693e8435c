import { Inject, Injectable } from '@nestjs/common';
import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose';
import type { JWTPayload } from 'jose';
import { ACCESS_TOKEN_TYPE, AccessTokenSigner, RUN_TOKEN_TYPE, SERVICE_ROLE } from '../../identity/index.js';
import type { AccessToken, UserEntity } from '../../identity/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { isUuid, newId } from '../../platform/crypto/index.js';
import type { ProjectKeyCaller, RunCaller, UserCaller } from '../../platform/http/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import type { Project, ProjectKeyRole } from '../project.js';
import { ProjectDirectory } from '../project-directory.js';
import { PROJECT_KEY_ALGORITHM, ProjectKeys } from '../keys/project-keys.js';
import type { ProjectKey } from '../keys/project-keys.js';

/** The `typ` of anon and service keys. */
export const PROJECT_KEY_TYPE = 'key+jwt';

/** The audience of every token of a project, which PostgREST-style consumers look for. */
const AUDIENCE = 'authenticated';
const USER_ROLE = 'authenticated';
const KEY_LIFETIME_YEARS = 10;

/** Whom a token of a project stands for. */
export interface VerifiedToken {
  readonly project: Project;
  readonly caller: UserCaller | ProjectKeyCaller | RunCaller;
}

/** The tokens of projects, each signed with its project's Ed25519 key (contract, section 6). */
@Injectable()
export class ProjectTokens extends AccessTokenSigner {
  readonly isReady = true;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly directory: ProjectDirectory,
    private readonly keys: ProjectKeys,
    private readonly clock: Clock,
  ) {
    super();
  }

  async issue(user: UserEntity, sessionId: string): Promise<AccessToken> {
    const project = await this.directory.findById(user.realmId);
    if (project === null) throw new Error(`the project ${user.realmId} of a user does not exist`);
    const { accessTtlSecs } = this.config.identity;
    const issuedAtSecs = secondsOf(this.clock.now());
    const expiresAtSecs = issuedAtSecs + accessTtlSecs;
    const claims = { role: USER_ROLE, sid: sessionId, email: user.email, sub: user.id };
    const token = await this.sign(project.ref, ACCESS_TOKEN_TYPE, {
      ...claims,
      // Not claims of the profile, but of every `at+jwt` (RFC 9068, section 2.2): a project is its only client.
      client_id: project.ref,
      jti: newId(),
      iat: issuedAtSecs,
      exp: expiresAtSecs,
    });
    return { token, expiresAt: new Date(expiresAtSecs * 1000), expiresInSecs: accessTtlSecs };
  }

  /** The project's key as it is now: Ed25519 signs alike each time, so this is the same text until it is rotated. */
  async keyOf(project: Project, role: ProjectKeyRole): Promise<string> {
    const [jti, issuedAt] =
      role === 'anon' ? [project.anonKeyId, project.anonKeyAt] : [project.serviceKeyId, project.serviceKeyAt];
    const expiresAt = new Date(issuedAt);
    expiresAt.setUTCFullYear(expiresAt.getUTCFullYear() + KEY_LIFETIME_YEARS);
    return await this.sign(project.ref, PROJECT_KEY_TYPE, {
      role,
      jti,
      iat: secondsOf(issuedAt),
      exp: secondsOf(expiresAt),
    });
  }

  /** Whom the token stands for; null for one that is not a project's, or holds no more. */
  async verify(token: string): Promise<VerifiedToken | null> {
    const ref = refOf(token);
    const project = ref === null ? null : await this.directory.findByRef(ref);
    const key = project === null ? null : await this.keyFor(project.ref);
    if (project === null || key === null) return null;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, key.publicKey, {
        algorithms: [PROJECT_KEY_ALGORITHM],
        issuer: this.config.identity.jwtIssuer,
        audience: AUDIENCE,
        requiredClaims: ['exp', 'iat'],
        currentDate: this.clock.now(),
      });
      const caller = callerOf(project, protectedHeader.typ, payload);
      return caller === null ? null : { project, caller };
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  /** Null when the project was deleted a moment ago, and its file with it. @throws Error when its file is missing or faulty */
  private async keyFor(ref: string): Promise<ProjectKey | null> {
    try {
      return await this.keys.of(ref);
    } catch (error) {
      if ((await this.directory.findByRef(ref)) === null) return null;
      throw error;
    }
  }

  /** A token of the project; `claims` are those besides `iss`, `aud` and `ref`. */
  async sign(ref: string, typ: string, claims: JWTPayload): Promise<string> {
    const { kid, privateKey } = await this.keys.of(ref);
    return await new SignJWT({ iss: this.config.identity.jwtIssuer, aud: AUDIENCE, ref, ...claims })
      .setProtectedHeader({ alg: PROJECT_KEY_ALGORITHM, typ, kid })
      .sign(privateKey);
  }
}

function secondsOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}

/** The project that an unproven token says it is of, which says whose key has to prove it. */
function refOf(token: string): string | null {
  try {
    const { ref } = decodeJwt(token);
    return typeof ref === 'string' ? ref : null;
  } catch {
    return null;
  }
}

/** The caller of a token whose signature holds. One type of token never stands for another. */
function callerOf(
  project: Project,
  typ: string | undefined,
  { role, sub, sid, email, jti, run_id: runId, attempt }: JWTPayload,
): VerifiedToken['caller'] | null {
  if (typ === ACCESS_TOKEN_TYPE) {
    const isWhole =
      role === USER_ROLE &&
      typeof sub === 'string' &&
      isUuid(sub) &&
      typeof sid === 'string' &&
      typeof email === 'string';
    return isWhole ? { type: 'user', userId: sub, sessionId: sid, email } : null;
  }
  if (typ === RUN_TOKEN_TYPE) {
    const isWhole = role === SERVICE_ROLE && typeof runId === 'string' && typeof attempt === 'number';
    return isWhole ? { type: 'run', runId, attempt, tenantId: project.id } : null;
  }
  if (typ !== PROJECT_KEY_TYPE || (role !== 'anon' && role !== 'service_role')) return null;
  const keyId = role === 'anon' ? project.anonKeyId : project.serviceKeyId;
  return jti === keyId ? { type: 'project_key', keyId, role, projectId: project.id, ref: project.ref } : null;
}
