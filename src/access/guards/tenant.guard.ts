import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { TenantResolver } from '../../orgs/index.js';
import { ACCESS, needsTenant, ServiceError } from '../../http/index.js';
import type { Access, ServiceRequest } from '../../http/index.js';

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
  constructor(
    private readonly reflector: Reflector,
    private readonly tenants: TenantResolver,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.get<Access>(ACCESS, context.getHandler());
    if (!needsTenant(access)) return true;
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    if (request.caller === undefined) throw new ServiceError('unauthenticated');
    const references = { header: headerReference(request), path: pathReference(request) };
    request.tenant = await this.tenants.resolve(request.caller, references);
    return true;
  }
}
