import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { decodeProtectedHeader } from 'jose';
import { ExtractJwt, Strategy } from 'passport-jwt';
import type { KeyObject } from 'node:crypto';
import { ACCESS_TOKEN_TYPE, SigningKeys } from '../identity/index.js';
import type { AccessTokenClaims } from '../identity/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { isUuid } from '../platform/crypto/index.js';
import type { UserCaller } from '../platform/http/index.js';

/** The key that a token says it was signed with, if that is one of ours and the token is an access token. */
function keyOf(keys: SigningKeys, token: string): KeyObject {
  const { alg, typ, kid } = decodeProtectedHeader(token);
  const key = typeof kid === 'string' ? keys.find(kid) : undefined;
  if (alg !== 'RS256' || typ !== ACCESS_TOKEN_TYPE || key === undefined)
    throw new Error('not an access token of ours');
  return key.key;
}

/** Access tokens in `Authorization: Bearer` (RFC 6750), verified from memory. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(@Inject(CONFIG) config: Config, keys: SigningKeys) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKeyProvider: (
        _request: unknown,
        token: string,
        done: (error: unknown, key?: string) => void,
      ) => {
        try {
          // A KeyObject spares parsing PEM at each request; jsonwebtoken takes one, passport-jwt's types do not say so.
          done(null, keyOf(keys, token) as unknown as string);
        } catch (error) {
          done(error);
        }
      },
      algorithms: ['RS256'],
      issuer: config.identity.jwtIssuer,
      audience: config.identity.jwtAudience,
    });
  }

  /** The caller, or false for a token that we signed but not as an access token with all its claims. */
  validate({ sub, sid, email, exp }: Partial<AccessTokenClaims> & { exp?: number }): UserCaller | false {
    if (sub === undefined || !isUuid(sub) || sid === undefined || email === undefined || exp === undefined)
      return false;
    return { type: 'user', userId: sub, sessionId: sid, email };
  }
}
