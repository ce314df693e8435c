import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext, Provider, Type } from '@nestjs/common';
import { requestOf, routeAccess, ServiceError } from '../../http/index.js';
import { AccessWatch } from '../revalidation/access-watch.js';
import { permits } from '../permissions/concrete-permission.js';

const STANDING_GUARDS = Symbol('the guards that a long answer asks again');

/** What of a request says, besides its host, who is calling and where. */
const IDENTIFYING_HEADERS = ['authorization', 'x-api-key', 'apikey', 'x-service-org'];

/** Which guards those are, in the order of their asking: they find the caller and the tenant, and record nothing. */
export function revalidatingGuards(...guards: Type<CanActivate>[]): Provider {
  return {
    provide: STANDING_GUARDS,
    useFactory: (...instances: CanActivate[]) => instances,
    inject: guards,
  };
}

/** Lets a streamed response learn when its caller loses access. */
@Injectable()
export class AccessRevalidationGuard implements CanActivate {
  constructor(
    @Inject(STANDING_GUARDS) private readonly guards: readonly CanActivate[],
    private readonly watch: AccessWatch,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = requestOf(context);
    const { caller, tenant } = request;
    if (caller === undefined || tenant === undefined) return true;
    request.watchAccess = (lost) => {
      const presented = IDENTIFYING_HEADERS.map((name) => request.headers[name] ?? null);
      const key = JSON.stringify([routeAccess(context).access, tenant.id, request.host, ...presented]);
      const require = (): Promise<void> => this.require(context);
      return this.watch.watch({ key, caller, tenantId: tenant.id, require }, lost);
    };
    return true;
  }

  private async require(context: ExecutionContext): Promise<void> {
    for (const guard of this.guards) await guard.canActivate(context);
    const { permission } = routeAccess(context);
    const { caller, tenant } = requestOf(context);
    const isPermitted =
      caller !== undefined &&
      tenant !== undefined &&
      (permission === null || permits(caller, tenant, permission));
    if (!isPermitted) throw new ServiceError('permission_denied');
  }
}
