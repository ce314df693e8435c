import { Injectable } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { AccountStates } from '../identity/index.js';
import { ACCESS, ServiceError } from '../platform/http/index.js';
import type { Access, Caller, ServiceRequest } from '../platform/http/index.js';
import { AuthMetrics } from '../platform/metrics/index.js';

/** Finds out who is calling, unless the route is public. A route that declares no access is refused. */
@Injectable()
export class AuthenticationGuard extends AuthGuard('bearer') {
  constructor(
    private readonly reflector: Reflector,
    private readonly metrics: AuthMetrics,
    private readonly accounts: AccountStates,
  ) {
    super({ property: 'caller', session: false });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    if (access === undefined)
      throw new ServiceError('permission_denied', { message: 'This route is not open to anyone.' });
    // The operator's token is the business of its own guard.
    if (access === 'public' || access === 'operator') return true;
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    if (access === 'optional' && request.headers.authorization === undefined) return true;
    await super.canActivate(context);
    await this.demandActive(request.caller);
    if (access === 'user' && request.caller?.type !== 'user') throw new ServiceError('user_required');
    return true;
  }

  /** An access token outlives its session by up to its life, but never its account. */
  private async demandActive(caller: Caller | undefined): Promise<void> {
    if (caller?.type === 'user' && !(await this.accounts.isActive(caller.userId))) {
      throw new ServiceError('invalid_access_token', {
        headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
      });
    }
  }

  override handleRequest<User = Caller>(
    error: unknown,
    caller: User | false,
    _info: unknown,
    context: ExecutionContext,
  ): User {
    // A fault of ours, as opposed to a token that does not hold.
    if (error instanceof Error) throw error;
    if (caller !== false) return caller;
    const { authorization } = context.switchToHttp().getRequest<ServiceRequest>().headers;
    this.metrics.record(
      'token_check',
      authorization === undefined ? 'unauthenticated' : 'invalid_access_token',
    );
    throw authorization === undefined
      ? new ServiceError('unauthenticated', {
          hint: 'Send Authorization: Bearer <access token>; POST /auth/v1/token gives one.',
          headers: { 'WWW-Authenticate': 'Bearer' },
        })
      : new ServiceError('invalid_access_token', {
          hint: 'Refresh it: POST /auth/v1/token?grant_type=refresh_token.',
          headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
        });
  }
}
