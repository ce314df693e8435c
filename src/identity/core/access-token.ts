import { Inject, Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import { newId } from '../../platform/crypto/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { SigningKeys } from './signing-keys.js';
import type { UserEntity } from './user.entity.js';

/** The `typ` of an access token (RFC 9068, section 2.1), which tells it from every other signed token. */
export const ACCESS_TOKEN_TYPE = 'at+jwt';

/** The claims of an access token, besides `iss`, `aud`, `iat` and `exp`. */
export interface AccessTokenClaims {
  readonly sub: string;
  readonly sid: string;
  readonly jti: string;
  readonly email: string;
  readonly email_verified: boolean;
}

export interface AccessToken {
  readonly token: string;
  readonly expiresAt: Date;
  readonly expiresInSecs: number;
}

@Injectable()
export class AccessTokenIssuer {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
  ) {}

  /** Signs an access token for a session of the user (RFC 7519, RFC 9068). */
  async issue(user: UserEntity, sessionId: string): Promise<AccessToken> {
    const { jwtIssuer, jwtAudience, accessTtlSecs } = this.config.identity;
    const { kid, privateKey } = this.keys.active;
    const issuedAtSecs = Math.floor(this.clock.now().getTime() / 1000);
    const token = await new SignJWT({ sid: sessionId, email: user.email, email_verified: user.emailVerified })
      .setProtectedHeader({ alg: 'RS256', typ: ACCESS_TOKEN_TYPE, kid })
      .setIssuer(jwtIssuer)
      .setAudience(jwtAudience)
      .setSubject(user.id)
      .setIssuedAt(issuedAtSecs)
      .setExpirationTime(issuedAtSecs + accessTtlSecs)
      .setJti(newId())
      .sign(privateKey);
    return {
      token,
      expiresAt: new Date((issuedAtSecs + accessTtlSecs) * 1000),
      expiresInSecs: accessTtlSecs,
    };
  }
}
