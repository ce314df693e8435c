import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext, Provider, Type } from '@nestjs/common';
import { requestOf, routeAccess, ServiceError } from '../../http/index.js';
import type { Caller, OperatorCaller, RevocableAccess, TenantId } from '../../http/index.js';
import { OperatorCredentials } from '../credentials/operator-credentials.js';
import { AccessWatch } from '../revalidation/access-watch.js';
import { permits } from '../permissions/permits.js';

const STANDING_GUARDS = Symbol('the guards that a long answer asks again');

/** The headers of a request, besides its host, that say who is calling and where. */
const IDENTIFYING_HEADERS = ['authorization', 'x-api-key', 'apikey', 'x-service-org', 'x-service-project'];

/** Those guards, in the order in which they run. They find the caller and the tenant, and record nothing. */
export function revalidatingGuards(...guards: Type<CanActivate>[]): Provider {
  return {
    provide: STANDING_GUARDS,
    useFactory: (...instances: CanActivate[]) => instances,
    inject: guards,
  };
}

/** The access that a request was granted, for a response that continues. */
abstract class RequestAccess implements RevocableAccess {
  constructor(
    private readonly watches: AccessWatch,
    protected readonly context: ExecutionContext,
    private readonly caller: Caller | OperatorCaller,
    private readonly tenantId: TenantId | null,
  ) {}

  watch(lost: () => void): () => void {
    const { caller, tenantId, context } = this;
    const { headers, host } = requestOf(context);
    const presented = IDENTIFYING_HEADERS.map((name) => headers[name] ?? null);
    const key = JSON.stringify([routeAccess(context).access, tenantId, host, ...presented]);
    return this.watches.watch({ key, caller, tenantId, require: () => this.require() }, lost);
  }

  /** Throws when the access has ended. */
  protected abstract require(): Promise<void>;
}

/** Runs the guard that found the caller and, on routes that need a tenant, the one that found it. */
class CallerAccess extends RequestAccess {
  constructor(
    private readonly guards: readonly CanActivate[],
    watches: AccessWatch,
    context: ExecutionContext,
    caller: Caller,
    tenantId: TenantId | null,
  ) {
    super(watches, context, caller, tenantId);
  }

  protected async require(): Promise<void> {
    for (const guard of this.guards) await guard.canActivate(this.context);
    const { permission, needsTenant } = routeAccess(this.context);
    const { caller, tenant } = requestOf(this.context);
    const isPermitted =
      caller !== undefined &&
      (tenant === undefined ? !needsTenant : permission === null || permits(caller, tenant, permission));
    if (!isPermitted) throw new ServiceError('permission_denied');
  }
}

class OperatorAccess extends RequestAccess {
  constructor(
    private readonly credentials: OperatorCredentials,
    watches: AccessWatch,
    context: ExecutionContext,
    operator: OperatorCaller,
  ) {
    super(watches, context, operator, null);
  }

  protected async require(): Promise<void> {
    const identified = await this.credentials.identify(requestOf(this.context));
    if ('code' in identified) throw new ServiceError(identified.code);
  }
}

/** Tells a streamed response when its caller loses access. */
@Injectable()
export class AccessRevalidationGuard implements CanActivate {
  constructor(
    @Inject(STANDING_GUARDS) private readonly guards: readonly CanActivate[],
    private readonly credentials: OperatorCredentials,
    private readonly watches: AccessWatch,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = requestOf(context);
    const { caller, operator, tenant, project } = request;
    // Not a closure: as a property of the request, it made V8 keep each request over two scavenges.
    if (operator !== undefined)
      request.revocableAccess = new OperatorAccess(this.credentials, this.watches, context, operator);
    else if (caller !== undefined)
      request.revocableAccess = new CallerAccess(
        this.guards,
        this.watches,
        context,
        caller,
        tenant?.id ?? project?.id ?? null,
      );
    return true;
  }
}
