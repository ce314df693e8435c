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
  /**
   * Whether users manage only their own account with it, so that it is open before their address is verified (contract,
   * 9.4).
   */
  ownAccount?: boolean;
  /** With `project_user`: whether operators also manage their own accounts with it, using their own access token. */
  isForOperatorsToo?: boolean;
  summary: string;
  description?: string;
  /** The status of success; 200 by default. */
  status?: 200 | 201 | 202 | 204;
  /** The body of a success: a DTO class, a list of it (as an array or a `Page`), or nothing for 204. */
  response?: Type | [Type];
  errors?: readonly ErrorCode[];
  /** Whether a run token may call it; by default, `opensToRuns` decides. */
  runTokens?: RunTokenAccess;
  /**
   * Whether to ignore input that it does not read. For requests that others make or extend: probes, scrapers, mail
   * clients that extend links (`utm_source`), proxies that repeat their client's request, and standards that require it
   * (RFC 6749, section 3.2).
   */
  ignoresUnread?: boolean;
  /** Whether users leave the organization with it, if the path has their own `user_id`. */
  leaves?: boolean;
}

/** The methods that the OpenAPI document shows for a route that answers any. */
export const ANY_METHOD = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

export const ACCESS = 'service:access';
export const RUN_TOKENS = 'service:run-tokens';
export const OWN_ACCOUNT = 'service:own-account';
export const LEAVES = 'service:leaves';
export const FOR_OPERATORS_TOO = 'service:for-operators-too';

/** Marks the routes that act in a tenant while the OpenAPI document is generated. */
export const ACTS_IN_TENANT = 'x-acts-in-tenant';

/** Marks the routes that the host addresses while the OpenAPI document is generated. */
export const ADDRESSED = 'x-addressed';

/** Carries `runTokens` of a route while the OpenAPI document is generated. */
export const TAKES_RUN_TOKENS = 'x-takes-run-tokens';

/** The security scheme of `apikey`, which carries a project's key, in the OpenAPI document. */
export const PROJECT_KEY_SECURITY = 'project_key';

function securityOf(access: Access): MethodDecorator[] {
  if (access === 'public' || access === 'addressed') return [];
  if (access === 'operator') return [ApiBearerAuth('admin')];
  const bearer = ApiBearerAuth() as MethodDecorator;
  const key = ApiSecurity(PROJECT_KEY_SECURITY) as MethodDecorator;
  const none = ApiSecurity({}) as MethodDecorator;
  if (access === 'optional') return [bearer, none];
  // The host may name the project as well. Then the route needs no credentials.
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
 * Declares a route in one place: method, path, access, and its OpenAPI documentation. A route without it declares no
 * access and is refused by the access guard.
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
