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
import { PageInterceptor } from './page.js';

/**
 * What a route says of the tokens of runs where the rule of `opensToRuns` does not fit it. `attempt`: also the token of an
 * attempt that has expired or whose attempt has ended, because the route itself looks at the attempt.
 */
export type RunTokenAccess = 'open' | 'closed' | 'attempt';

const CHANGED_BY_PEOPLE = /^\/auth\/v1(?:\/|$)/;
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether the token of a run may call a route at all (contract section 9.7): everywhere, but to change nothing under
 * `/auth/v1`. By method and path, so that no route is left out because nobody thought of it.
 *
 * @param path the route's template or the path of a request
 * @param declared what the route itself says, which comes first
 */
export function opensToRuns(method: string, path: string, declared?: RunTokenAccess): boolean {
  if (declared !== undefined) return declared !== 'closed';
  return READING.has(method.toUpperCase()) || !CHANGED_BY_PEOPLE.test(path);
}

/**
 * Who may call a route:
 * - `public`: anyone;
 * - `addressed`: anyone, of a request that in the project profile says for which project it is, by its host;
 * - `optional`: anyone, but a caller who sends credentials must send good ones;
 * - `user`: a signed-in user, and no API key or run;
 * - `member`: a member, API key or run of the active organization, whatever the role;
 * - `operator`: the holder of `admin.token`, or an operator with an access token of a live session that has met a second
 *   factor; one who may only read, by GET alone;
 * - a permission (`jobs:jobs:write`): a caller who holds it in the active organization or project.
 *
 * In the project profile, where a request is for a project that its credentials or its host name, also:
 * - `project`: anyone, once the project is known; credentials that are sent must be good;
 * - `anon_key`: a holder of the project's anon key or service key;
 * - `service_key`: a holder of the project's service key;
 * - `project_user`: a signed-in user of the project, and no key.
 */
export type Access =
  | 'public'
  | 'addressed'
  | 'optional'
  | 'user'
  | 'member'
  | 'operator'
  | 'project'
  | 'anon_key'
  | 'service_key'
  | 'project_user'
  | `${string}:${string}:${string}`;

/** Whether a route with this access acts in an organization or project as a tenant. */
export function needsTenant(access: Access): boolean {
  return access === 'member' || access.includes(':');
}

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

/** Whether a route may need the proof of the caller's address, by `identity.require_verified_email`. */
export function needsProvenAddress(access: Access, ownAccount: boolean): boolean {
  return !ownAccount && (access === 'user' || access === 'project_user' || needsTenant(access));
}

function accessErrors(access: Access, ownAccount: boolean): ErrorCode[] {
  if (access === 'public' || access === 'addressed') return [];
  if (access === 'operator')
    return ['invalid_admin_token', 'session_revoked', 'second_factor_required', 'operator_read_only'];
  const presented: ErrorCode[] = ['invalid_access_token', 'invalid_api_key'];
  if (access === 'optional') return presented;
  const proven: ErrorCode[] = needsProvenAddress(access, ownAccount) ? ['email_not_verified'] : [];
  const identified: ErrorCode[] = ['unauthenticated', ...presented, ...proven];
  if (access === 'user') return [...identified, 'user_required'];
  const ofProject: ErrorCode[] = ['project_required', 'project_mismatch'];
  if (access === 'project') return [...presented, ...ofProject];
  if (access === 'project_user') return [...identified, ...ofProject];
  if (access === 'anon_key') return [...identified, ...ofProject, 'project_key_required'];
  if (access === 'service_key')
    return [
      ...identified,
      ...ofProject,
      'project_key_required',
      'project_not_found',
      'session_revoked',
      'second_factor_required',
      'operator_read_only',
    ];
  return access === 'member' ? identified : [...identified, 'permission_denied'];
}

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

/** Changes of a tenant wait for their turn, where there may be too many before them. */
function changeErrors(method: RequestMethod, access: Access): ErrorCode[] {
  const isChange = method !== RequestMethod.GET && (access.includes(':') || access === 'service_key');
  return isChange ? ['overloaded'] : [];
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
