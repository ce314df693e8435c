import { Inject, Injectable } from '@nestjs/common';
import type { KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { errors, jwtVerify } from 'jose';
import {
  ACCESS_TOKEN_ALGORITHM,
  RUN_TOKEN_ALGORITHM,
  RUN_TOKEN_TYPE,
  SigningKeys,
} from '../../identity/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { VerifiedTokens } from '../../platform/crypto/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import type { RunCaller, UserCaller } from '../../http/index.js';
import { callerOf, keyOf } from './bearer-token.js';
import type { BearerClaims } from './bearer-token.js';

/** About a kilobyte each. */
const MAX_TOKENS = 10_000;
const PREFIX = 'Bearer ';

/** Recently verified bearer tokens. Verifying a signature costs more than everything else in a request. */
@Injectable()
export class VerifiedBearers {
  private readonly tokens = new VerifiedTokens<UserCaller | RunCaller>(MAX_TOKENS);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
  ) {}

  /**
   * The caller of the request's credential, or undefined if the token has to be verified first. As after a
   * verification, the account or the attempt must still be checked.
   */
  find({ authorization, 'x-api-key': key }: IncomingHttpHeaders): UserCaller | RunCaller | undefined {
    // With both headers a request could have two callers. Another guard refuses it.
    if (authorization?.startsWith(PREFIX) !== true || key !== undefined) return undefined;
    const nowMs = this.clock.now().getTime();
    return this.tokens.find(authorization.slice(PREFIX.length), nowMs, (kid) => this.keys.find(kid)?.key);
  }

  /**
   * The attempt of the run whose token this is, even if the token has expired: for routes that check the attempt
   * themselves. Undefined for any other credential.
   */
  async findAttempt({
    authorization,
    'x-api-key': key,
  }: IncomingHttpHeaders): Promise<RunCaller | undefined> {
    if (authorization?.startsWith(PREFIX) !== true || key !== undefined) return undefined;
    const token = authorization.slice(PREFIX.length);
    const { jwtIssuer: issuer, jwtAudience: audience } = this.config.identity;
    try {
      const { payload } = await jwtVerify<BearerClaims>(token, ({ kid }) => this.keyOf(kid), {
        algorithms: [ACCESS_TOKEN_ALGORITHM, RUN_TOKEN_ALGORITHM],
        typ: RUN_TOKEN_TYPE,
        issuer,
        audience,
        currentDate: this.clock.now(),
        clockTolerance: Number.MAX_SAFE_INTEGER,
      });
      const caller = callerOf(token, payload);
      return caller !== false && caller.type === 'run' ? caller : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  private keyOf(kid: string | undefined): KeyObject {
    const found = kid === undefined ? undefined : this.keys.find(kid);
    if (found === undefined) throw new errors.JWKSNoMatchingKey();
    return found.key;
  }

  /** The caller of a token whose signature was just verified; false if the token lacks a claim of its type. */
  callerOf(token: string, claims: BearerClaims): UserCaller | RunCaller | false {
    const caller = callerOf(token, claims);
    if (caller === false || claims.exp === undefined) return false;
    const { kid, key } = keyOf(this.keys, token);
    this.tokens.keep(token, { claims: caller, keyId: kid, key, exp: claims.exp, nbf: claims.nbf });
    return caller;
  }
}
