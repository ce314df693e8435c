import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { TenantResolver } from '../../orgs/index.js';
import { whenResolved } from '../../cache-invalidation/index.js';
import { requestOf, routeAccess, ServiceError } from '../../http/index.js';
import type { ServiceRequest } from '../../http/index.js';

const ORG_HEADER = 'x-service-org';

function headerReference(request: ServiceRequest): string | null {
  const header = request.headers[ORG_HEADER];
  return typeof header === 'string' && header.trim() !== '' ? header.trim() : null;
}

/** Whether the caller is leaving the organization, if this is the route for it. */
function isLeaving({ caller, params }: ServiceRequest): boolean {
  const { user_id: userId } = params as { user_id?: string };
  return caller?.type === 'user' && userId?.toLowerCase() === caller.userId;
}

function pathReference(request: ServiceRequest): string | null {
  const { org } = request.params as { org?: string };
  return org ?? null;
}

/** Finds the organization that the request acts in, if the route needs one. */
@Injectable()
export class TenantGuard implements CanActivate {
  constructor(private readonly tenants: TenantResolver) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { needsTenant, leaves } = routeAccess(context);
    if (!needsTenant) return true;
    const request = requestOf(context);
    if (request.caller === undefined) throw new ServiceError('unauthenticated');
    const wanted = {
      header: headerReference(request),
      path: pathReference(request),
      leaves: leaves && isLeaving(request),
    };
    return whenResolved(this.tenants.resolve(request.caller, wanted), (tenant) => {
      request.tenant = tenant;
      return true;
    });
  }
}
