import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { TenantResolver } from '../../orgs/index.js';
import { whenFound } from '../../events/index.js';
import { requestOf, routeAccess, ServiceError } from '../../http/index.js';
import type { ServiceRequest } from '../../http/index.js';

const ORG_HEADER = 'x-service-org';

function headerReference(request: ServiceRequest): string | null {
  const header = request.headers[ORG_HEADER];
  return typeof header === 'string' && header.trim() !== '' ? header.trim() : null;
}

function pathReference(request: ServiceRequest): string | null {
  const { org } = request.params as { org?: string };
  return org ?? null;
}

/** Finds the organization that the request acts in, where the route needs one. */
@Injectable()
export class TenantGuard implements CanActivate {
  constructor(private readonly tenants: TenantResolver) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (!routeAccess(context).needsTenant) return true;
    const request = requestOf(context);
    if (request.caller === undefined) throw new ServiceError('unauthenticated');
    const references = { header: headerReference(request), path: pathReference(request) };
    return whenFound(this.tenants.resolve(request.caller, references), (tenant) => {
      request.tenant = tenant;
      return true;
    });
  }
}
