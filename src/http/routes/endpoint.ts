import {
  applyDecorators,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension, ApiOperation, ApiResponse, ApiSecurity } from '@nestjs/swagger';
import type { ErrorCode } from '../errors/error-codes.js';
import { errorResponses } from '../errors/error-responses.js';
import { ValidatesDtos } from '../validation/dto-arguments.js';
import { RefusesUnreadInput } from './unread-input.js';
import { accessErrors, changeErrors, needsTenant } from './access-kinds.js';
import type { Access, RunTokenAccess } from './access-kinds.js';
import { PageInterceptor } from './page.js';

export interface EndpointOptions {
  access: Access;
  /** Whether users manage nothing but their own account by it: open before their address is proven (contract, 9.4). */
  ownAccount?: boolean;
  /** With `project_user`: whether operators manage their own accounts by it too, with their own access token. */
  isForOperatorsToo?: boolean;
  summary: string;
  description?: string;
  /** Status of success; 200 unless said otherwise. */
  status?: 200 | 201 | 202 | 204;
  /** The body of success: a DTO class, a list of it (as an array or a `Page`), or nothing for 204. */
  response?: Type | [Type];
  errors?: readonly ErrorCode[];
  /** Whether the token of a run may call it; unless said, as `opensToRuns` has it. */
  runTokens?: RunTokenAccess;
  /**
   * Whether it ignores what it does not read. For requests that others make or add to: probes, scrapers, mail clients that add
   * to links (`utm_source`), proxies that ask in their clients' words, and where a standard says so (RFC 6749, section 3.2).
   */
  ignoresUnread?: boolean;
  /** Whether users leave the organization by it where the path has their own `user_id`. */
  leaves?: boolean;
}

/** The methods that the OpenAPI document shows of a route that answers any. */
export const ANY_METHOD = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

export const ACCESS = 'service:access';
export const RUN_TOKENS = 'service:run-tokens';
export const OWN_ACCOUNT = 'service:own-account';
export const LEAVES = 'service:leaves';
export const FOR_OPERATORS_TOO = 'service:for-operators-too';

/** Marks, in the OpenAPI document while it is made, the routes that act in a tenant. */
export const ACTS_IN_TENANT = 'x-acts-in-tenant';

/** Marks, in the OpenAPI document while it is made, the routes whose host says what they are for. */
export const ADDRESSED = 'x-addressed';

/** Carries `runTokens` of a route in the OpenAPI document while it is made. */
export const TAKES_RUN_TOKENS = 'x-takes-run-tokens';

/** The name of `apikey`, which carries a project's key, among the security schemes of the OpenAPI document. */
export const PROJECT_KEY_SECURITY = 'project_key';

function securityOf(access: Access): MethodDecorator[] {
  if (access === 'public' || access === 'addressed') return [];
  if (access === 'operator') return [ApiBearerAuth('admin')];
  const bearer = ApiBearerAuth() as MethodDecorator;
  const key = ApiSecurity(PROJECT_KEY_SECURITY) as MethodDecorator;
  const none = ApiSecurity({}) as MethodDecorator;
  if (access === 'optional') return [bearer, none];
  // The host may name the project as well; then it takes no credentials.
  if (access === 'project') return [bearer, key, none];
  return access === 'anon_key' || access === 'service_key' ? [bearer, key] : [bearer];
}

function documentation(method: RequestMethod, options: EndpointOptions): MethodDecorator[] {
  const { access, ownAccount = false, response, status = 200 } = options;
  const permission = access.includes(':') ? `Needs the permission \`${access}\`.` : undefined;
  const description = [options.description, permission].filter((text) => text !== undefined).join('\n\n');
  const success = Array.isArray(response)
    ? ApiResponse({ status, type: response[0], isArray: true, description: 'Success' })
    : response === undefined
      ? ApiResponse({ status: options.status ?? 204, description: 'Done; no body.' })
      : ApiResponse({ status, type: response, description: 'Success' });
  const codes = new Set([
    ...accessErrors(access, ownAccount),
    ...changeErrors(method, access),
    ...(options.isForOperatorsToo === true ? (['session_revoked'] as const) : []),
    ...(options.errors ?? []),
  ]);
  return [
    ApiOperation({ summary: options.summary, description }),
    success,
    ...Object.entries(errorResponses([...codes])).map(([status, response]) =>
      ApiResponse({ ...response, status: Number(status) }),
    ),
    ...securityOf(access),
    ...(needsTenant(access) ? [ApiExtension(ACTS_IN_TENANT, true) as MethodDecorator] : []),
    ...(access === 'addressed' ? [ApiExtension(ADDRESSED, true) as MethodDecorator] : []),
    ...(options.runTokens === undefined
      ? []
      : [ApiExtension(TAKES_RUN_TOKENS, options.runTokens) as MethodDecorator]),
  ];
}

function endpoint(method: RequestMethod, path: string, options: EndpointOptions): MethodDecorator {
  return applyDecorators(
    RequestMapping({ method, path }),
    ValidatesDtos(),
    ...(options.ignoresUnread === true ? [] : [RefusesUnreadInput()]),
    HttpCode(options.status ?? 200),
    SetMetadata(ACCESS, options.access),
    SetMetadata(RUN_TOKENS, options.runTokens),
    SetMetadata(OWN_ACCOUNT, options.ownAccount === true),
    SetMetadata(LEAVES, options.leaves === true),
    SetMetadata(FOR_OPERATORS_TOO, options.isForOperatorsToo === true),
    ...(Array.isArray(options.response) ? [UseInterceptors(PageInterceptor)] : []),
    ...documentation(method, options),
  );
}

/**
 * Declares a route in one place: method, path, who may call it, and what OpenAPI says of it. A route made
 * without it declares no access and is refused by the access guard.
 */
export const Endpoint = {
  get: (path: string, options: EndpointOptions): MethodDecorator =>
    endpoint(RequestMethod.GET, path, options),
  post: (path: string, options: EndpointOptions): MethodDecorator =>
    endpoint(RequestMethod.POST, path, options),
  put: (path: string, options: EndpointOptions): MethodDecorator =>
    endpoint(RequestMethod.PUT, path, options),
  patch: (path: string, options: EndpointOptions): MethodDecorator =>
    endpoint(RequestMethod.PATCH, path, options),
  delete: (path: string, options: EndpointOptions): MethodDecorator =>
    endpoint(RequestMethod.DELETE, path, options),
  any: (path: string, options: EndpointOptions): MethodDecorator =>
    endpoint(RequestMethod.ALL, path, options),
};
