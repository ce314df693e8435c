import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext, Provider, Type } from '@nestjs/common';
import { requestOf, routeAccess, ServiceError } from '../../http/index.js';
import type { Caller, RevocableAccess, Tenant } from '../../http/index.js';
import { AccessWatch } from '../revalidation/access-watch.js';
import { permits } from '../permissions/permits.js';

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

/** The access that a request was given, for a response that continues. */
class RequestAccess implements RevocableAccess {
  constructor(
    private readonly guards: readonly CanActivate[],
    private readonly watches: AccessWatch,
    private readonly context: ExecutionContext,
    private readonly caller: Caller,
    private readonly tenant: Tenant,
  ) {}

  watch(lost: () => void): () => void {
    const { caller, tenant, context } = this;
    const { headers, host } = requestOf(context);
    const presented = IDENTIFYING_HEADERS.map((name) => headers[name] ?? null);
    const key = JSON.stringify([routeAccess(context).access, tenant.id, host, ...presented]);
    return this.watches.watch({ key, caller, tenantId: tenant.id, require: () => this.require() }, lost);
  }

  private async require(): Promise<void> {
    for (const guard of this.guards) await guard.canActivate(this.context);
    const { permission } = routeAccess(this.context);
    const { caller, tenant } = requestOf(this.context);
    const isPermitted =
      caller !== undefined &&
      tenant !== undefined &&
      (permission === null || permits(caller, tenant, permission));
    if (!isPermitted) throw new ServiceError('permission_denied');
  }
}

/** Lets a streamed response learn when its caller loses access. */
@Injectable()
export class AccessRevalidationGuard implements CanActivate {
  constructor(
    @Inject(STANDING_GUARDS) private readonly guards: readonly CanActivate[],
    private readonly watches: AccessWatch,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = requestOf(context);
    const { caller, tenant } = request;
    // Not a closure: as a property of the request, it made V8 keep each request over two scavenges.
    if (caller !== undefined && tenant !== undefined)
      request.revocableAccess = new RequestAccess(this.guards, this.watches, context, caller, tenant);
    return true;
  }
}
