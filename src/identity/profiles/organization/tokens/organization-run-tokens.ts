import { Inject, Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import { CONFIG } from '../../../../platform/config/index.js';
import type { Config } from '../../../../platform/config/index.js';
import { newId } from '../../../../platform/crypto/index.js';
import { Database } from '../../../../platform/database/index.js';
import { Clock } from '../../../../platform/lifecycle/index.js';
import { RUN_TOKEN_TYPE, RunTokenIssuer, SERVICE_ROLE } from '../../../signing-keys/run-token.js';
import { SigningKeyRepository } from '../../../signing-keys/signing-key.repository.js';
import { SigningKeys } from '../../../signing-keys/signing-keys.js';
import type { RunTokenSubject } from '../../../signing-keys/run-token.js';

/** The claims of such a token, besides `iss`, `aud`, `iat` and `exp`. */
export interface RunTokenClaims {
  readonly role: typeof SERVICE_ROLE;
  readonly org: string;
  readonly run_id: string;
  readonly attempt: number;
  readonly jti: string;
}

/** By how much more than needed a key's publication is extended, so that one statement does for many tokens. */
const EXTENSION_SECS = 3600;

/** The tokens of handlers, signed with the deployment's RSA keys. */
@Injectable()
export class OrganizationRunTokens extends RunTokenIssuer {
  /** Until when each key is known to stay published, seconds since the epoch. */
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

  async issue({ runId, attempt, tenantId }: RunTokenSubject, lifeMs: number): Promise<string> {
    const { jwtIssuer, jwtAudience } = this.config.identity;
    const { kid, privateKey } = this.keys.active;
    const nowMs = this.clock.now().getTime();
    const expiresAtSecs = Math.ceil((nowMs + lifeMs) / 1000);
    await this.keepPublished(kid, Math.floor(nowMs / 1000), expiresAtSecs);
    return await new SignJWT({ role: SERVICE_ROLE, org: tenantId, run_id: runId, attempt })
      .setProtectedHeader({ alg: 'RS256', typ: RUN_TOKEN_TYPE, kid })
      .setIssuer(jwtIssuer)
      .setAudience(jwtAudience)
      .setIssuedAt(Math.floor(nowMs / 1000))
      .setExpirationTime(expiresAtSecs)
      .setJti(newId())
      .sign(privateKey);
  }

  /** A key stays published as long as access tokens live; a run may take longer, and its key then stays longer. */
  private async keepPublished(kid: string, nowSecs: number, expiresAtSecs: number): Promise<void> {
    if (expiresAtSecs - nowSecs <= this.config.identity.accessTtlSecs) return;
    if (expiresAtSecs <= (this.publishedUntilSecs.get(kid) ?? 0)) return;
    const untilSecs = expiresAtSecs + EXTENSION_SECS;
    await this.keyRows.noteTokenUntil(this.database.autoCommit, kid, new Date(untilSecs * 1000));
    this.publishedUntilSecs.set(kid, untilSecs);
  }
}
