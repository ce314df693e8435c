import { Inject, Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import type { MaybePromise } from '../../cache-invalidation/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { newId } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { SigningKeyRepository } from '../signing-keys/signing-key.repository.js';
import { ACCESS_TOKEN_ALGORITHM } from '../signing-keys/signing-key-pair.js';
import { SigningKeys } from '../signing-keys/signing-keys.js';
import type { UserEntity } from '../users/user.repository.js';
import { signCompactly } from './compact-token.js';
import {
  ACCESS_TOKEN_TYPE,
  AccessTokenSigner,
  authenticationClaims,
  RUN_TOKEN_TYPE,
  RunTokenIssuer,
  SERVICE_ROLE,
} from './token-signers.js';
import type { AccessToken, AuthenticationClaims, RunTokenSubject, SignedSession } from './token-signers.js';

/** The claims of an access token, besides `iss`, `aud`, `iat` and `exp`. */
export interface AccessTokenClaims extends AuthenticationClaims {
  readonly sub: string;
  readonly sid: string;
  readonly jti: string;
  /** The issuer: the service is its own only client. */
  readonly client_id: string;
  readonly email: string;
  readonly email_verified: boolean;
}

/** Access tokens signed with the deployment's RSA keys. */
@Injectable()
export class OrganizationAccessTokens extends AccessTokenSigner {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
  ) {
    super();
  }

  get isReady(): boolean {
    return this.keys.areLoaded;
  }

  async issue(user: UserEntity, session: SignedSession): Promise<AccessToken> {
    const { jwtIssuer, jwtAudience, accessTtlSecs } = this.config.identity;
    const { kid, privateKey } = this.keys.active;
    const issuedAtSecs = Math.floor(this.clock.now().getTime() / 1000);
    const expiresAtSecs = issuedAtSecs + accessTtlSecs;
    const token = await new SignJWT({
      client_id: jwtIssuer,
      sid: session.sessionId,
      email: user.email,
      email_verified: user.emailVerified,
      ...authenticationClaims(session),
    })
      .setProtectedHeader({ alg: ACCESS_TOKEN_ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid })
      .setIssuer(jwtIssuer)
      .setAudience(jwtAudience)
      .setSubject(user.id)
      .setIssuedAt(issuedAtSecs)
      .setExpirationTime(expiresAtSecs)
      .setJti(newId())
      .sign(privateKey);
    return { token, expiresAt: new Date(expiresAtSecs * 1000), expiresInSecs: accessTtlSecs };
  }
}

/** The claims of a run token, besides `iss`, `aud`, `iat` and `exp`. */
export interface RunTokenClaims {
  readonly role: typeof SERVICE_ROLE;
  readonly org: string;
  readonly run_id: string;
  readonly attempt: number;
  readonly act: { readonly sub: string };
  /** What the run may do in its organization; no reader grants more. */
  readonly perms: readonly string[];
  readonly jti: string;
}

/** Run tokens signed with the companions of the deployment's RSA keys. */
@Injectable()
export class OrganizationRunTokens extends RunTokenIssuer {
  /** Until when each key is known to stay published, in seconds since the epoch. */
  private readonly publishedUntilSecs = new Map<string, number>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly keys: SigningKeys,
    private readonly keyRows: SigningKeyRepository,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  issue(
    { runId, attempt, tenantId, actor, permissions }: RunTokenSubject,
    lifeMs: number,
  ): MaybePromise<string> {
    const { jwtIssuer, jwtAudience } = this.config.identity;
    const key = this.keys.activeForRuns;
    const nowMs = this.clock.now().getTime();
    const issuedAtSecs = Math.floor(nowMs / 1000);
    const expiresAtSecs = Math.ceil((nowMs + lifeMs) / 1000);
    const claims = {
      role: SERVICE_ROLE,
      org: tenantId,
      run_id: runId,
      attempt,
      act: { sub: actor },
      perms: permissions,
      iss: jwtIssuer,
      aud: jwtAudience,
      iat: issuedAtSecs,
      exp: expiresAtSecs,
      jti: newId(),
    };
    const sign = (): string => signCompactly(key, RUN_TOKEN_TYPE, claims);
    if (this.isPublishedUntil(key.signingKid, issuedAtSecs, expiresAtSecs)) return sign();
    return this.keepPublished(key.signingKid, expiresAtSecs).then(sign);
  }

  /** A key stays published as long as access tokens live. A run may take longer, and then its key stays longer. */
  private isPublishedUntil(kid: string, nowSecs: number, expiresAtSecs: number): boolean {
    if (expiresAtSecs - nowSecs <= this.config.identity.accessTtlSecs) return true;
    return expiresAtSecs <= (this.publishedUntilSecs.get(kid) ?? 0);
  }

  private async keepPublished(kid: string, expiresAtSecs: number): Promise<void> {
    const untilSecs = expiresAtSecs + this.config.timing.keys.extensionSecs;
    await this.keyRows.noteTokenUntil(this.database.autoCommit, kid, new Date(untilSecs * 1000));
    this.publishedUntilSecs.set(kid, untilSecs);
  }
}
