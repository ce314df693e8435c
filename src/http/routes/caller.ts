import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { acceptedLanguage } from '../../platform/languages/index.js';
import type { Language } from '../../platform/languages/index.js';
import { clientAddressOf } from '../server/client-address.js';

/** A person with a session, proven by an access token. */
export interface UserCaller {
  readonly type: 'user';
  readonly userId: string;
  readonly sessionId: string;
  readonly email: string;
}

/** A program of an organization, proven by its API key. */
export interface ApiKeyCaller {
  readonly type: 'api_key';
  readonly keyId: string;
  readonly orgId: string;
  readonly permissions: readonly string[];
}

/** The id of an organization or a project. Queries over a tenant's rows demand this type, not any string. */
export type TenantId = string & { readonly __tenant: unique symbol };

/** A program of a project, proven by one of the project's two keys. The anon key is public: it proves no one. */
export interface ProjectKeyCaller {
  readonly type: 'project_key';
  /** The `jti` of the key. */
  readonly keyId: string;
  readonly role: 'anon' | 'service_role';
  readonly projectId: TenantId;
  readonly ref: string;
}

/** The handler of a run, for as long as its attempt lasts, proven by the token that its call carried. */
export interface RunCaller {
  readonly type: 'run';
  readonly runId: string;
  readonly attempt: number;
  readonly tenantId: string;
}

/** Who operates the deployment: a program with `admin.token`, or a person by the access token of a live session. */
export interface OperatorCaller {
  readonly type: 'operator';
  /** Null for a program. */
  readonly account: { readonly userId: string; readonly sessionId: string; readonly email: string } | null;
  readonly access: 'full' | 'read_only';
}

/** Who is calling. */
export type Caller = UserCaller | ApiKeyCaller | ProjectKeyCaller | RunCaller | OperatorCaller;

/** The project that a request was found to be for. */
export interface ResolvedProject {
  readonly id: TenantId;
  readonly ref: string;
  readonly name: string;
}

/** The organization or project that a request acts in, and what its caller may do there. */
export interface Tenant {
  readonly id: TenantId;
  readonly slug: string;
  readonly name: string;
  /** Null for an API key or a run, which has permissions but no role. */
  readonly role: string | null;
  readonly permissions: readonly string[];
  /** How far the permissions go: over everything in the tenant, or over what is open to users and their own. */
  readonly reach: 'all' | 'own';
}

/** The access of a caller, which may end while a response continues. */
export interface RevocableAccess {
  /** Calls `lost` once, within a second, when the caller may not have the response any more, until the result is called. */
  watch(lost: () => void): () => void;
}

/**
 * A request as the guards leave it: `caller` unless the route is public, `tenant` where the route needs one,
 * `project` on the routes of the project profile that need one.
 */
export interface ServiceRequest extends FastifyRequest {
  caller?: Caller;
  /** On the operator's routes. */
  operator?: OperatorCaller;
  tenant?: Tenant;
  /** For a response that continues, on routes where the guards know the caller. See `watchAccess`. */
  revocableAccess?: RevocableAccess;
  project?: ResolvedProject;
  /** The project key among the credentials, even if it is not the caller. */
  projectKey?: ProjectKeyCaller;
}

/** The request that a guard is asked about: `switchToHttp` makes three functions each time. */
export function requestOf(context: ExecutionContext): ServiceRequest {
  return context.getArgByIndex<ServiceRequest>(0);
}

function callerOf({ caller }: ServiceRequest): Caller {
  if (caller === undefined) throw new Error('the route reads the caller but declares itself public');
  return caller;
}

function tenantOf({ tenant }: ServiceRequest): Tenant {
  if (tenant === undefined)
    throw new Error('the route reads the tenant but does not declare that it needs one');
  return tenant;
}

/** The caller, a person or a program. Throws on a route whose access does not promise one: a mistake in the route. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller =>
  callerOf(requestOf(context)),
);

/** The signed-in user, on routes with the access `user`. Throws elsewhere: a mistake in the route. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): UserCaller => {
  const { caller } = requestOf(context);
  if (caller?.type !== 'user') throw new Error('the route reads the user but does not demand one');
  return caller;
});

/** The operator, on routes with the access `operator`. Throws elsewhere: a mistake in the route. */
export const CurrentOperator = createParamDecorator(
  (_: unknown, context: ExecutionContext): OperatorCaller => {
    const { operator } = requestOf(context);
    if (operator === undefined) throw new Error('the route reads the operator but does not demand one');
    return operator;
  },
);

/** The active organization or project. Throws on a route whose access does not promise one. */
export const CurrentTenant = createParamDecorator((_: unknown, context: ExecutionContext): Tenant =>
  tenantOf(requestOf(context)),
);

/** The project that the request is for. Throws on a route whose access does not promise one. */
export const CurrentProject = createParamDecorator(
  (_: unknown, context: ExecutionContext): ResolvedProject => {
    const { project } = requestOf(context);
    if (project === undefined)
      throw new Error('the route reads the project but does not declare that it needs one');
    return project;
  },
);

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until somebody has asked for it. */
    origin: Origin | null;
  }
}

/** Where a request comes from, as kept with sessions and audit entries. */
export interface Origin {
  readonly ip: string;
  readonly userAgent: string | null;
  /** The language that the request prefers; absent for what no request began. */
  readonly language?: Language | null;
}

const MAX_USER_AGENT = 256;

/** The same object each time: what is found out about a request on its way can be kept by it. */
export function originOf(request: FastifyRequest): Origin {
  request.origin ??= {
    ip: clientAddressOf(request),
    userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null,
    language: acceptedLanguage(request.headers['accept-language']),
  };
  return request.origin;
}

export const RequestOrigin = createParamDecorator((_: unknown, context: ExecutionContext): Origin => {
  return originOf(requestOf(context));
});

/** Who asks for a change in a tenant, and from where. */
export interface Requester {
  readonly tenant: Tenant;
  readonly caller: Caller;
  readonly origin: Origin;
}

/** The caller, the tenant and the origin of a request. Throws on a route whose access does not promise them. */
export const CurrentRequester = createParamDecorator((_: unknown, context: ExecutionContext): Requester => {
  const request = requestOf(context);
  return { tenant: tenantOf(request), caller: callerOf(request), origin: originOf(request) };
});
