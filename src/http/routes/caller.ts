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

/** The id of an organization or a project. Queries on a tenant's rows require this type, not any string. */
export type TenantId = string & { readonly __tenant: unique symbol };

/**
 * A program of a project, authenticated by one of the project's two keys. The anon key is public and authenticates
 * nobody.
 */
export interface ProjectKeyCaller {
  readonly type: 'project_key';
  /** The `jti` of the key. */
  readonly keyId: string;
  readonly role: 'anon' | 'service_role';
  readonly projectId: TenantId;
  readonly ref: string;
}

/** What the handler of a run may do in its tenant, as its token says. */
export interface RunRights {
  readonly permissions: readonly string[];
  /** The user of a project as whom it acts; null for the tenant's program. */
  readonly userId: string | null;
}

/** The handler of a run, authenticated by the token in its call, for as long as the attempt lasts. */
export interface RunCaller extends RunRights {
  readonly type: 'run';
  readonly runId: string;
  readonly attempt: number;
  readonly tenantId: string;
}

/**
 * The operator of the deployment: a program with `admin.token`, or a person with the access token of a live session.
 */
export interface OperatorCaller {
  readonly type: 'operator';
  /** Null for a program. */
  readonly account: { readonly userId: string; readonly sessionId: string; readonly email: string } | null;
  readonly access: 'full' | 'read_only';
}

/** Who is calling. */
export type Caller = UserCaller | ApiKeyCaller | ProjectKeyCaller | RunCaller | OperatorCaller;

/** The project that a request is for. */
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
  /** Whether the permissions cover everything in the tenant, or only what is open to users and what they own. */
  readonly reach: 'all' | 'own';
}

/** The access of a caller, which may end while a response continues. */
export interface RevocableAccess {
  /** Calls `lost` once, within a second, when the caller loses access to the response. The result stops this. */
  watch(lost: () => void): () => void;
}

/**
 * A request after the guards: with `caller` unless the route is public, `tenant` if the route needs one, and `project`
 * on routes of the project profile that need one.
 */
export interface ServiceRequest extends FastifyRequest {
  caller?: Caller;
  /** On operator routes. */
  operator?: OperatorCaller;
  tenant?: Tenant;
  /** For a response that continues, on routes whose guards know the caller. See `watchAccess`. */
  revocableAccess?: RevocableAccess;
  project?: ResolvedProject;
  /** The project key among the credentials, even if it does not belong to the caller. */
  projectKey?: ProjectKeyCaller;
}

/** The request that a guard decides on. `switchToHttp` would create three functions each time. */
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

/**
 * The caller, a person or a program. Throws on a route whose access guarantees none, which is a mistake in the route.
 */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller =>
  callerOf(requestOf(context)),
);

/** The signed-in user, on routes with the access `user`. Throws on others, which is a mistake in the route. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): UserCaller => {
  const { caller } = requestOf(context);
  if (caller?.type !== 'user') throw new Error('the route reads the user but does not demand one');
  return caller;
});

/** The operator, on routes with the access `operator`. Throws on others, which is a mistake in the route. */
export const CurrentOperator = createParamDecorator(
  (_: unknown, context: ExecutionContext): OperatorCaller => {
    const { operator } = requestOf(context);
    if (operator === undefined) throw new Error('the route reads the operator but does not demand one');
    return operator;
  },
);

/** The active organization or project. Throws on a route whose access guarantees none. */
export const CurrentTenant = createParamDecorator((_: unknown, context: ExecutionContext): Tenant =>
  tenantOf(requestOf(context)),
);

/** The project that the request is for. Throws on a route whose access guarantees none. */
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
    /** Null until it is first asked for. */
    origin: Origin | null;
  }
}

/** Where a request comes from, as sessions and audit entries record it. */
export interface Origin {
  readonly ip: string;
  readonly userAgent: string | null;
  /** The language that the request prefers; absent outside of a request. */
  readonly language?: Language | null;
}

const MAX_USER_AGENT = 256;

/** The same object each time, so that what is found out about a request can be stored by it. */
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

/** Who requests a change in a tenant, and from where. */
export interface Requester {
  readonly tenant: Tenant;
  readonly caller: Caller;
  readonly origin: Origin;
}

/** The caller, the tenant and the origin of a request. Throws on a route whose access does not guarantee them. */
export const CurrentRequester = createParamDecorator((_: unknown, context: ExecutionContext): Requester => {
  const request = requestOf(context);
  return { tenant: tenantOf(request), caller: callerOf(request), origin: originOf(request) };
});
