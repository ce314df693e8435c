import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Memberships } from '../orgs/index.js';
import { ACCESS, ServiceError } from '../platform/http/index.js';
import type { Access, ServiceRequest } from '../platform/http/index.js';

const ORG_HEADER = 'x-service-org';

function referenceIn(request: ServiceRequest): string | null {
  const header = request.headers[ORG_HEADER];
  return typeof header === 'string' && header.trim() !== '' ? header.trim() : null;
}

/** Finds the organization that the request acts in, where the route needs one. */
@Injectable()
export class TenantGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly memberships: Memberships,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.get<Access>(ACCESS, context.getHandler());
    if (access === 'public' || access === 'user') return true;
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    if (request.caller === undefined) throw new ServiceError('unauthenticated');
    request.tenant = await this.memberships.activeTenant(request.caller.userId, referenceIn(request));
    return true;
  }
}
