import { Inject, Injectable } from '@nestjs/common';
import { errors, jwtVerify } from 'jose';
import {
  ACCESS_TOKEN_ALGORITHM,
  ACCESS_TOKEN_TYPE,
  OperatorTokens,
  SigningKeys,
} from '../../identity/index.js';
import type { TokenSubject } from '../../identity/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { callerOf } from './bearer-token.js';
import type { BearerClaims } from './bearer-token.js';

/** Where operators are accounts like all others, they operate the deployment by their ordinary access tokens. */
@Injectable()
export class AccountOperatorTokens extends OperatorTokens {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
  ) {
    super();
  }

  async verifyOperatorToken(token: string): Promise<TokenSubject | null> {
    const { jwtIssuer: issuer, jwtAudience: audience } = this.config.identity;
    try {
      const { payload } = await jwtVerify<BearerClaims>(token, ({ kid }) => this.keyOf(kid), {
        algorithms: [ACCESS_TOKEN_ALGORITHM],
        typ: ACCESS_TOKEN_TYPE,
        issuer,
        audience,
        currentDate: this.clock.now(),
      });
      const caller = callerOf(token, payload);
      return caller !== false && caller.type === 'user' ? caller : null;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  private keyOf(kid: string | undefined): NonNullable<ReturnType<SigningKeys['find']>>['key'] {
    const key = kid === undefined ? undefined : this.keys.find(kid);
    if (key?.algorithm !== ACCESS_TOKEN_ALGORITHM) throw new errors.JWKSNoMatchingKey();
    return key.key;
  }
}
