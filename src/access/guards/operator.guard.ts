import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { AuditTrail, AuthMetrics } from '../../audit/index.js';
import type { Actor } from '../../audit/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { originOf, requestOf, routeAccess, ServiceError } from '../../http/index.js';
import type { ServiceRequest } from '../../http/index.js';
import { factorRequired, OperatorCredentials } from '../credentials/operator-credentials.js';
import type { OperatorRefusal } from '../credentials/operator-credentials.js';
import { UnauthenticatedRequests } from '../credentials/unauthenticated-requests.js';

const READING = new Set(['GET', 'HEAD']);

/**
 * On operator routes, requires `admin.token`, or the access token of an operator whose session is live and has met a
 * second factor. Without a configured `admin.token`, these routes do not exist for other callers. The exception is an
 * expired access token: it gets 401, so that an operator's client renews it.
 */
@Injectable()
export class OperatorGuard implements CanActivate {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly credentials: OperatorCredentials,
    private readonly audit: AuditTrail,
    private readonly metrics: AuthMetrics,
    private readonly unauthenticated: UnauthenticatedRequests,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    return routeAccess(context).access !== 'operator' || this.requireOperator(context);
  }

  private async requireOperator(context: ExecutionContext): Promise<true> {
    const request = requestOf(context);
    const identified = await this.credentials.identify(request);
    if ('code' in identified) return await this.refuse(context, identified);
    if (identified.access === 'read_only' && !READING.has(request.method)) {
      this.metrics.record('operator_token_check', 'operator_read_only');
      throw new ServiceError('operator_read_only');
    }
    request.operator = identified;
    return true;
  }

  private async refuse(
    context: ExecutionContext,
    { code, by, hasPresented, mayRenew }: OperatorRefusal,
  ): Promise<never> {
    if (code === 'second_factor_required') {
      this.metrics.record('operator_token_check', code);
      throw factorRequired();
    }
    const refusal = new ServiceError(code);
    const isAbsent = code === 'invalid_admin_token' && !mayRenew && this.config.admin.token === null;
    if (!isAbsent) this.metrics.record('operator_token_check', code);
    // Before the entry is recorded, so that a flood of requests records none.
    await this.unauthenticated.countRefused(context, refusal);
    if (isAbsent) throw new ServiceError('not_found');
    if (hasPresented) await this.recordRefusal(requestOf(context), by);
    throw refusal;
  }

  /** A caller who sends no token has not tried to act as the operator. */
  private async recordRefusal(request: ServiceRequest, actor: Actor): Promise<void> {
    await this.audit.appendAlone({
      actor,
      action: 'operator.token_refused',
      target: null,
      tenantId: null,
      userId: null,
      origin: originOf(request),
      details: { method: request.method, route: request.routeOptions.url ?? null },
    });
  }
}
