import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { actorOf, AuditTrail } from '../../audit/index.js';
import { ACCESS, originOf, ServiceError } from '../../http/index.js';
import type { Access, ServiceRequest } from '../../http/index.js';
import { permits } from '../permissions/concrete-permission.js';

/** Demands the permission that the route declares; who lacks it is refused on record. */
@Injectable()
export class PermissionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly audit: AuditTrail,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.get<Access>(ACCESS, context.getHandler());
    if (!access.includes(':')) return true;
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    const { tenant, caller } = request;
    if (tenant !== undefined && caller !== undefined) {
      if (permits(caller, tenant, access)) return true;
      await this.audit.appendAlone({
        actor: actorOf(caller),
        action: 'permission.denied',
        target: null,
        orgId: tenant.id,
        userId: null,
        origin: originOf(request),
        details: { permission: access, method: request.method, route: request.routeOptions.url ?? null },
      });
    }
    throw new ServiceError('permission_denied', { hint: `This needs the permission ${access}.` });
  }
}
