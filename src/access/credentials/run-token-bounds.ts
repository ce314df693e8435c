import { Injectable } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { actorOf, AuditTrail, AuthMetrics } from '../../audit/index.js';
import { opensToRuns, originOf, requestOf, routeAccess, ServiceError } from '../../http/index.js';
import type { RunCaller } from '../../http/index.js';

/**
 * Keeps run tokens within their bounds (contract section 9.7). The guards ask as soon as they know the caller, before
 * they check what else the route requires.
 */
@Injectable()
export class RunTokenBounds {
  constructor(
    private readonly audit: AuditTrail,
    private readonly metrics: AuthMetrics,
  ) {}

  /** @throws run_token_not_allowed, which is audited */
  async require(context: ExecutionContext, caller: RunCaller): Promise<void> {
    const request = requestOf(context);
    const route = request.routeOptions.url ?? request.url;
    if (opensToRuns(request.method, route, routeAccess(context).runTokens)) return;
    this.metrics.record('token_check', 'run_token_not_allowed');
    await this.audit.appendAlone({
      actor: actorOf(caller),
      action: 'run_token.refused',
      target: null,
      tenantId: caller.tenantId,
      userId: null,
      origin: originOf(request),
      details: { method: request.method, route },
    });
    throw new ServiceError('run_token_not_allowed');
  }
}
