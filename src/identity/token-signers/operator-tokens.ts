import { Inject, Injectable } from '@nestjs/common';
import { errors, jwtVerify, SignJWT } from 'jose';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { isUuid, KeyRing, newId } from '../../platform/crypto/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import type { UserEntity } from '../users/user.repository.js';
import { authenticationClaims, OperatorTokens } from './token-signers.js';
import type { AccessToken, SignedSession, TokenSubject } from './token-signers.js';

/** No other token has this type, this audience or this algorithm. */
const TYPE = 'operator+jwt';
const AUDIENCE = 'service-operator';
const ALGORITHM = 'HS256';
const PURPOSE = 'operator access tokens';

/**
 * The access tokens of operators where users belong to projects. A key that is derived from the data key signs them, so
 * that no project's key signs for an operator, and an operator's token names no project.
 */
@Injectable()
export class DeploymentOperatorTokens extends OperatorTokens {
  private readonly keys: ReadonlyMap<string, Uint8Array>;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    keyRing: KeyRing,
  ) {
    super();
    this.keys = new Map(keyRing.derive(PURPOSE).map(({ id, secret }) => [id.toString('hex'), secret]));
  }

  async issue(user: UserEntity, session: SignedSession): Promise<AccessToken> {
    const { jwtIssuer, accessTtlSecs } = this.config.identity;
    const [[kid, key] = ['', new Uint8Array()]] = this.keys;
    const issuedAtSecs = Math.floor(this.clock.now().getTime() / 1000);
    const expiresAtSecs = issuedAtSecs + accessTtlSecs;
    const token = await new SignJWT({
      sid: session.sessionId,
      email: user.email,
      client_id: jwtIssuer,
      ...authenticationClaims(session),
    })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
      .setIssuer(jwtIssuer)
      .setAudience(AUDIENCE)
      .setSubject(user.id)
      .setIssuedAt(issuedAtSecs)
      .setExpirationTime(expiresAtSecs)
      .setJti(newId())
      .sign(key);
    return { token, expiresAt: new Date(expiresAtSecs * 1000), expiresInSecs: accessTtlSecs };
  }

  async verifyOperatorToken(token: string): Promise<TokenSubject | null> {
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => this.keyOf(kid), {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: this.config.identity.jwtIssuer,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'sid', 'exp', 'iat'],
        currentDate: this.clock.now(),
      });
      const { sub = '', sid } = payload;
      return isUuid(sub) && typeof sid === 'string' && isUuid(sid) ? { userId: sub, sessionId: sid } : null;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  private keyOf(kid: string | undefined): Uint8Array {
    const key = this.keys.get(kid ?? '');
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  }
}
