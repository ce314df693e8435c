import { Inject, Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import { CONFIG } from '../../../../platform/config/index.js';
import type { Config } from '../../../../platform/config/index.js';
import { newId } from '../../../../platform/crypto/index.js';
import { Clock } from '../../../../platform/lifecycle/index.js';
import { ACCESS_TOKEN_TYPE, AccessTokenSigner } from '../../../signing-keys/access-token.js';
import { SigningKeys } from '../../../signing-keys/signing-keys.js';
import type { AccessToken } from '../../../signing-keys/access-token.js';
import type { UserEntity } from '../../../users/user.entity.js';

/** The claims of an access token, besides `iss`, `aud`, `iat` and `exp`. */
export interface AccessTokenClaims {
  readonly sub: string;
  readonly sid: string;
  readonly jti: string;
  /** The issuer: the service has one client, which is its own. */
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

  async issue(user: UserEntity, sessionId: string): Promise<AccessToken> {
    const { jwtIssuer, jwtAudience, accessTtlSecs } = this.config.identity;
    const { kid, privateKey } = this.keys.active;
    const issuedAtSecs = Math.floor(this.clock.now().getTime() / 1000);
    const token = await new SignJWT({
      client_id: jwtIssuer,
      sid: sessionId,
      email: user.email,
      email_verified: user.emailVerified,
    })
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
