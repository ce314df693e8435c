import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { actorOf, AuditTrail } from '../../audit/index.js';
import { checksAttempt, originOf, requestOf, routeAccess, ServiceError } from '../../http/index.js';
import type { ServiceRequest } from '../../http/index.js';
import { permits } from '../permissions/permits.js';

/** Requires the permission that the route declares. A caller without it is refused, and the refusal is audited. */
@Injectable()
export class PermissionGuard implements CanActivate {
  constructor(private readonly audit: AuditTrail) {}

  /** @throws permission_denied, run_token_required */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { permission, runTokens } = routeAccess(context);
    if (permission === null) return true;
    const request = requestOf(context);
    const { tenant, caller } = request;
    // No permission is enough: only the handler of the attempt may do this.
    if (runTokens === 'attempt' && caller?.type !== 'run') throw new ServiceError('run_token_required');
    // Whatever a run may do: such a route lets a handler reach its own run alone.
    if (caller?.type === 'run' && checksAttempt(runTokens)) return true;
    const isPermitted = tenant !== undefined && caller !== undefined && permits(caller, tenant, permission);
    return isPermitted || this.refuse(request, permission);
  }

  /** @throws permission_denied */
  private async refuse(request: ServiceRequest, permission: string): Promise<never> {
    const { tenant, caller } = request;
    if (tenant !== undefined && caller !== undefined)
      await this.audit.appendAlone({
        actor: actorOf(caller),
        action: 'permission.denied',
        target: null,
        tenantId: tenant.id,
        userId: null,
        origin: originOf(request),
        details: { permission, method: request.method, route: request.routeOptions.url ?? null },
      });
    throw new ServiceError('permission_denied', { hint: `This needs the permission ${permission}.` });
  }
}
