import { Injectable } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { AccountStates } from '../../identity/index.js';
import { RunTokens } from '../../jobs/index.js';
import { ApiKeyVerifier } from '../../keys/index.js';
import { whenResolved } from '../../cache-invalidation/index.js';
import { checksAttempt, requestOf, routeAccess, ServiceError } from '../../http/index.js';
import type { Access, ApiKeyCaller, Caller, ErrorCode, ServiceRequest } from '../../http/index.js';
import { presentedCredential } from '../credentials/presented-credential.js';
import { RunTokenBounds } from '../credentials/run-token-bounds.js';
import { VerifiedBearers } from '../credentials/verified-bearers.js';
import { UnauthenticatedRequests } from '../credentials/unauthenticated-requests.js';
import { AuthMetrics } from '../../audit/index.js';

/** Identifies the caller, unless the route is public. A route that declares no access is refused. */
@Injectable()
export class AuthenticationGuard extends AuthGuard('bearer') {
  constructor(
    private readonly verified: VerifiedBearers,
    private readonly metrics: AuthMetrics,
    private readonly accounts: AccountStates,
    private readonly apiKeys: ApiKeyVerifier,
    private readonly runTokens: RunTokens,
    private readonly runTokenBounds: RunTokenBounds,
    private readonly unauthenticated: UnauthenticatedRequests,
  ) {
    super({ property: 'caller', session: false });
  }

  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { access } = routeAccess(context);
    if (access === undefined)
      throw new ServiceError('permission_denied', { message: 'This route is not open to anyone.' });
    // Another guard checks the operator's token.
    if (access === 'operator') return true;
    const request = requestOf(context);
    const isOpen = access === 'public' || access === 'addressed';
    const known = isOpen ? undefined : this.verified.find(request.headers);
    if (known?.type !== 'user') return this.identify(context, request, access);
    // With a warm cache, a request does not wait here.
    return whenResolved(this.accounts.isSessionLive(known), (isLive) => {
      if (!isLive) return this.identify(context, request, access);
      request.caller = known;
      return true;
    });
  }

  private async identify(
    context: ExecutionContext,
    request: ServiceRequest,
    access: Access,
  ): Promise<boolean> {
    if (access !== 'public' && access !== 'addressed') {
      try {
        await this.authenticate(context, request, access);
      } catch (error) {
        await this.unauthenticated.countRefused(context, error);
        throw error;
      }
    }
    if (request.caller === undefined) await this.unauthenticated.count(context);
    return true;
  }

  private async authenticate(
    context: ExecutionContext,
    request: ServiceRequest,
    access: Access,
  ): Promise<void> {
    const credential = presentedCredential(request.headers);
    if (access === 'optional' && credential === null) return;
    if (credential?.type === 'api_key') {
      request.caller = await this.keyCaller(credential.key);
    } else {
      const isChecked = checksAttempt(routeAccess(context).runTokens);
      const attempt = isChecked ? await this.verified.findAttempt(request.headers) : undefined;
      request.caller = attempt ?? this.verified.find(request.headers);
      if (request.caller === undefined) await super.canActivate(context);
      if (attempt === undefined) await this.requireActive(request);
      if (request.caller?.type === 'run') await this.runTokenBounds.require(context, request.caller);
    }
    if (access === 'user' && request.caller?.type !== 'user') throw new ServiceError('user_required');
  }

  private async keyCaller(key: string): Promise<ApiKeyCaller> {
    const caller = await this.apiKeys.verifyApiKey(key);
    if (caller !== null) return caller;
    throw this.refusal('invalid_api_key');
  }

  /**
   * An access token may outlive its session until it expires, but not its account, nor a session that ended because its
   * address was verified. A run token does not outlive its attempt.
   */
  private async requireActive({ caller, trace }: ServiceRequest): Promise<void> {
    const isOver =
      (caller?.type === 'user' && !(await this.accounts.isSessionLive(caller))) ||
      (caller?.type === 'run' && !(await this.runTokens.isAlive(caller, trace)));
    if (isOver) throw new ServiceError('invalid_access_token');
  }

  override handleRequest<User = Caller>(
    error: unknown,
    caller: User | false,
    _info: unknown,
    context: ExecutionContext,
  ): User {
    // An internal error, as opposed to an invalid token.
    if (error instanceof Error) throw error;
    if (caller !== false) return caller;
    const { authorization } = requestOf(context).headers;
    throw authorization === undefined
      ? this.refusal(
          'unauthenticated',
          'Send Authorization: Bearer <access token>; POST /auth/v1/token gives one.',
        )
      : this.refusal('invalid_access_token', 'Refresh it: POST /auth/v1/token?grant_type=refresh_token.');
  }

  private refusal(code: ErrorCode, hint?: string): ServiceError {
    this.metrics.record('token_check', code);
    return new ServiceError(code, hint === undefined ? {} : { hint });
  }
}
