import { Inject, Injectable } from '@nestjs/common';
import type { JWTPayload } from 'jose';
import type { KeyObject } from 'node:crypto';
import { whenResolved } from '../../cache-invalidation/index.js';
import type { MaybePromise } from '../../cache-invalidation/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { newId } from '../../platform/crypto/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { OPERATOR_REALM } from '../users/user.repository.js';
import type { UserEntity } from '../users/user.repository.js';
import { signCompactly } from './compact-token.js';
import { DeploymentOperatorTokens } from './operator-tokens.js';
import {
  ACCESS_TOKEN_TYPE,
  AccessTokenSigner,
  authenticationClaims,
  RUN_TOKEN_TYPE,
  RunTokenIssuer,
  SERVICE_ROLE,
} from './token-signers.js';
import type { AccessToken, RunTokenSubject, SignedSession } from './token-signers.js';

export const PROJECT_TOKEN_ALGORITHM = 'EdDSA';
/** The audience of every token of a project, which PostgREST-style consumers look for. */
export const PROJECT_AUDIENCE = 'authenticated';
export const PROJECT_USER_ROLE = 'authenticated';

/** The Ed25519 key that signs for a project, and the ref that its tokens name. */
export interface ProjectSigningKey {
  readonly ref: string;
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** The signing keys of projects. The module `projects` provides it. */
export abstract class ProjectSigningKeys {
  /** @throws Error when there is no project with this id, or its key file is missing or invalid */
  abstract ofProject(projectId: string): MaybePromise<ProjectSigningKey>;
}

/** Signs a token of a project (contract, section 6). @param claims those besides `iss`, `aud` and `ref` */
export function signProjectToken(
  issuer: string,
  { ref, kid, privateKey }: ProjectSigningKey,
  typ: string,
  claims: JWTPayload,
): string {
  const key = { kid, algorithm: PROJECT_TOKEN_ALGORITHM, privateKey };
  return signCompactly(key, typ, { iss: issuer, aud: PROJECT_AUDIENCE, ref, ...claims });
}

/** Access tokens signed with the key of the user's project; those of operators are the deployment's. */
@Injectable()
export class ProjectAccessTokens extends AccessTokenSigner {
  readonly isReady = true;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly keys: ProjectSigningKeys,
    private readonly operators: DeploymentOperatorTokens,
    private readonly clock: Clock,
  ) {
    super();
  }

  async issue(user: UserEntity, session: SignedSession): Promise<AccessToken> {
    if (user.realmId === OPERATOR_REALM) return await this.operators.issue(user, session);
    const { jwtIssuer, accessTtlSecs } = this.config.identity;
    const key = await this.keys.ofProject(user.realmId);
    const issuedAtSecs = Math.floor(this.clock.now().getTime() / 1000);
    const expiresAtSecs = issuedAtSecs + accessTtlSecs;
    const token = signProjectToken(jwtIssuer, key, ACCESS_TOKEN_TYPE, {
      role: PROJECT_USER_ROLE,
      sid: session.sessionId,
      email: user.email,
      ...authenticationClaims(session),
      sub: user.id,
      // Not claims of the profile, but of every `at+jwt` (RFC 9068, section 2.2): a project is its only client.
      client_id: key.ref,
      jti: newId(),
      iat: issuedAtSecs,
      exp: expiresAtSecs,
    });
    return { token, expiresAt: new Date(expiresAtSecs * 1000), expiresInSecs: accessTtlSecs };
  }
}

/** Run tokens signed with the key of the run's project. */
@Injectable()
export class ProjectRunTokens extends RunTokenIssuer {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly keys: ProjectSigningKeys,
    private readonly clock: Clock,
  ) {
    super();
  }

  issue(subject: RunTokenSubject, lifeMs: number): MaybePromise<string> {
    const { runId, attempt, tenantId, actor, permissions, userId } = subject;
    return whenResolved(this.keys.ofProject(tenantId), (key) => {
      const nowMs = this.clock.now().getTime();
      return signProjectToken(this.config.identity.jwtIssuer, key, RUN_TOKEN_TYPE, {
        ...(userId === null ? { role: SERVICE_ROLE } : { role: PROJECT_USER_ROLE, sub: userId }),
        run_id: runId,
        attempt,
        act: { sub: actor },
        perms: permissions,
        jti: newId(),
        iat: Math.floor(nowMs / 1000),
        exp: Math.ceil((nowMs + lifeMs) / 1000),
      });
    });
  }
}
