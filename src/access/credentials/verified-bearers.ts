import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { SigningKeys } from '../../identity/index.js';
import { VerifiedTokens } from '../../platform/crypto/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import type { RunCaller, UserCaller } from '../../http/index.js';
import { callerOf, keyOf } from './bearer-token.js';
import type { BearerClaims } from './bearer-token.js';

/** About a kilobyte each. */
const MAX_TOKENS = 10_000;
const PREFIX = 'Bearer ';

/** The bearer tokens that were verified lately: to verify the signature of one costs more than all else in a request. */
@Injectable()
export class VerifiedBearers {
  private readonly tokens = new VerifiedTokens<UserCaller | RunCaller>(MAX_TOKENS);

  constructor(
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
  ) {}

  /**
   * Whom the request's credential stands for; undefined where that has to be found out. As after a verification, the
   * account or the attempt is still to be asked.
   */
  find({ authorization, 'x-api-key': key }: IncomingHttpHeaders): UserCaller | RunCaller | undefined {
    // With both, a request could have two callers, which is refused elsewhere.
    if (authorization?.startsWith(PREFIX) !== true || key !== undefined) return undefined;
    const nowMs = this.clock.now().getTime();
    return this.tokens.find(authorization.slice(PREFIX.length), nowMs, (kid) => this.keys.find(kid)?.key);
  }

  /** Whom a token stands for whose signature was verified just now; false if it lacks a claim of its type. */
  callerOf(token: string, claims: BearerClaims): UserCaller | RunCaller | false {
    const caller = callerOf(token, claims);
    if (caller === false || claims.exp === undefined) return false;
    const { kid, key } = keyOf(this.keys, token);
    this.tokens.keep(token, { claims: caller, keyId: kid, key, exp: claims.exp, nbf: claims.nbf });
    return caller;
  }
}
