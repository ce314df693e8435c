import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-jwt';
import { ACCESS_TOKEN_ALGORITHM, RUN_TOKEN_ALGORITHM, SigningKeys } from '../../identity/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import type { RunCaller, ServiceRequest, UserCaller } from '../../http/index.js';
import { bearerOf } from './bearer-header.js';
import { keyOf } from './bearer-token.js';
import type { BearerClaims } from './bearer-token.js';
import { VerifiedBearers } from './verified-bearers.js';

/** Verifies signed tokens in `Authorization: Bearer` (RFC 6750) by the keys in memory. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(
    @Inject(CONFIG) config: Config,
    keys: SigningKeys,
    private readonly verified: VerifiedBearers,
  ) {
    super({
      passReqToCallback: true,
      // The extractor of passport-jwt takes the first word of several.
      jwtFromRequest: ({ headers }: ServiceRequest) => bearerOf(headers),
      secretOrKeyProvider: (
        _request: unknown,
        token: string,
        done: (error: unknown, key?: string) => void,
      ) => {
        try {
          // A KeyObject saves parsing PEM for each request. jsonwebtoken accepts one, although the types of
          // passport-jwt do not say so.
          done(null, keyOf(keys, token).key as unknown as string);
        } catch (error) {
          done(error);
        }
      },
      algorithms: [ACCESS_TOKEN_ALGORITHM, RUN_TOKEN_ALGORITHM],
      issuer: config.identity.jwtIssuer,
      audience: config.identity.jwtAudience,
    });
  }

  validate(request: ServiceRequest, claims: BearerClaims): UserCaller | RunCaller | false {
    const token = bearerOf(request.headers);
    return token === null ? false : this.verified.callerOf(token, claims);
  }
}
