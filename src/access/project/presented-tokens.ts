import { Injectable } from '@nestjs/common';
import { decodeProtectedHeader } from 'jose';
import { AccountStates } from '../../identity/index.js';
import { RunTokens } from '../../jobs/index.js';
import { ServiceError } from '../../http/index.js';
import type { ErrorCode, ServiceRequest } from '../../http/index.js';
import { PROJECT_KEY_TYPE, ProjectTokens } from '../../projects/index.js';
import type { VerifiedToken } from '../../projects/index.js';
import { AuthMetrics } from '../../audit/index.js';
import { bearerOf } from '../credentials/bearer-header.js';

/** Verifies the tokens of a request, in memory if the cache is warm. */
@Injectable()
export class PresentedTokens {
  constructor(
    private readonly tokens: ProjectTokens,
    private readonly accounts: AccountStates,
    private readonly runTokens: RunTokens,
    private readonly metrics: AuthMetrics,
  ) {}

  /**
   * The callers of `Authorization: Bearer` and `apikey`, in this order. A request may have both, since some clients
   * send the anon key with every request. The first one is the caller, and both must be valid.
   * @param ofAttempts whether to accept the token of an attempt that has expired or whose attempt has ended
   * @throws invalid_access_token, invalid_api_key
   */
  async of({ headers, trace }: ServiceRequest, ofAttempts: boolean): Promise<VerifiedToken[]> {
    const { authorization, apikey } = headers;
    const presented: VerifiedToken[] = [];
    if (authorization !== undefined) {
      const token = bearerOf(headers) ?? '';
      const attempt = ofAttempts ? await this.tokens.verifyAttempt(token) : null;
      presented.push(attempt ?? (await this.verified(token, trace, 'invalid_access_token')));
    }
    if (apikey !== undefined) presented.push(await this.verified(String(apikey), trace, 'invalid_api_key'));
    return presented;
  }

  private async verified(
    token: string,
    trace: ServiceRequest['trace'],
    refusal: ErrorCode,
  ): Promise<VerifiedToken> {
    const verified = await this.tokens.verifyProjectToken(token);
    if (verified !== null && (await this.isInUse(verified, trace))) return verified;
    const code = isKey(token) ? 'invalid_api_key' : refusal;
    this.metrics.record('token_check', code);
    throw new ServiceError(code);
  }

  /**
   * An access token may outlive its session until it expires, but not its account, nor a session that ended because its
   * address was verified. A run token does not outlive its attempt.
   */
  private async isInUse({ caller }: VerifiedToken, trace: ServiceRequest['trace']): Promise<boolean> {
    if (caller.type === 'user') return await this.accounts.isSessionLive(caller);
    return caller.type !== 'run' || (await this.runTokens.isAlive(caller, trace));
  }
}

function isKey(token: string): boolean {
  try {
    return decodeProtectedHeader(token).typ === PROJECT_KEY_TYPE;
  } catch {
    return false;
  }
}
