import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { ANONYMOUS, AuditTrail, AuthMetrics } from '../../audit/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { secretsEqual } from '../../platform/crypto/index.js';
import { originOf, requestOf, routeAccess, ServiceError } from '../../http/index.js';
import type { ServiceRequest } from '../../http/index.js';
import { UnauthenticatedRequests } from '../credentials/unauthenticated-requests.js';

const BEARER = /^Bearer +(\S+)$/i;

/** Demands `admin.token` where a route is the operator's. Without one configured such routes do not exist. */
@Injectable()
export class OperatorGuard implements CanActivate {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly audit: AuditTrail,
    private readonly metrics: AuthMetrics,
    private readonly unauthenticated: UnauthenticatedRequests,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    return routeAccess(context).access !== 'operator' || this.requireOperator(context);
  }

  private async requireOperator(context: ExecutionContext): Promise<true> {
    const { token } = this.config.admin;
    if (token === null) throw new ServiceError('not_found');
    const request = requestOf(context);
    const presented = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (presented !== undefined && secretsEqual(presented, token)) return true;
    this.metrics.record('operator_token_check', 'invalid_admin_token');
    const refusal = new ServiceError('invalid_admin_token');
    // Before the record, so that a flood writes none.
    await this.unauthenticated.countRefused(context, refusal);
    if (presented !== undefined) await this.recordRefusal(request);
    throw refusal;
  }

  /** Who sends no token at all has not tried to be the operator. */
  private async recordRefusal(request: ServiceRequest): Promise<void> {
    await this.audit.appendAlone({
      actor: ANONYMOUS,
      action: 'operator.token_refused',
      target: null,
      orgId: null,
      userId: null,
      origin: originOf(request),
      details: { method: request.method, route: request.routeOptions.url ?? null },
    });
  }
}
