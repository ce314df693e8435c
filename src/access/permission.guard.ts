import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ACCESS, ServiceError } from '../platform/http/index.js';
import type { Access, ServiceRequest } from '../platform/http/index.js';
import { covers } from '../rbac/index.js';

/** Demands the permission that the route declares. */
@Injectable()
export class PermissionGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const access = this.reflector.get<Access>(ACCESS, context.getHandler());
    if (!access.includes(':')) return true;
    const { tenant } = context.switchToHttp().getRequest<ServiceRequest>();
    if (tenant !== undefined && covers(tenant.permissions, access)) return true;
    throw new ServiceError('permission_denied', { hint: `This needs the permission ${access}.` });
  }
}
