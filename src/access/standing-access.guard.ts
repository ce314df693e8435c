import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { ServiceRequest } from '../platform/http/index.js';
import { AuthenticationGuard } from './authentication.guard.js';
import { PermissionGuard } from './permission.guard.js';
import { TenantGuard } from './tenant.guard.js';

/** Lets an answer that goes on for long ask again, with the same request, what the other guards asked at its begin. */
@Injectable()
export class StandingAccessGuard implements CanActivate {
  constructor(
    private readonly authentication: AuthenticationGuard,
    private readonly tenant: TenantGuard,
    private readonly permission: PermissionGuard,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    request.demandAccess = async () => {
      for (const guard of [this.authentication, this.tenant, this.permission])
        await guard.canActivate(context);
    };
    return true;
  }
}
