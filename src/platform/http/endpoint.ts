import { applyDecorators, HttpCode, RequestMapping, RequestMethod, SetMetadata } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiHeader,
  ApiNoContentResponse,
  ApiOperation,
  ApiResponse,
  ApiSecurity,
} from '@nestjs/swagger';
import { ERROR_CODES } from './error-codes.js';
import type { ErrorCode } from './error-codes.js';

/**
 * Who may call a route:
 * - `public`: anyone;
 * - `optional`: anyone, but a caller who sends credentials must send good ones;
 * - `user`: a signed-in user, and no API key or run;
 * - `member`: a member, API key or run of the active organization, whatever the role;
 * - `operator`: the holder of `admin.token`;
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
  summary: string;
  description?: string;
  /** Status of success; 200 unless said otherwise. */
  status?: 200 | 201 | 202 | 204;
  /** The body of success: a DTO class, a list of it, or nothing for 204. */
  response?: Type | [Type];
  errors?: readonly ErrorCode[];
}

export const ACCESS = 'service:access';

/** The name of `X-API-Key` among the security schemes of the OpenAPI document. */
export const API_KEY_SECURITY = 'api_key';

function errorResponses(codes: readonly ErrorCode[]): MethodDecorator[] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERROR_CODES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].map(([status, sameStatus]) =>
    ApiResponse({
      status,
      description: sameStatus.map((code) => `\`${code}\`: ${ERROR_CODES[code].meaning}`).join('\n\n'),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(
            sameStatus.map((code) => [
              code,
              { value: { error: { code, message: ERROR_CODES[code].meaning, status } } },
            ]),
          ),
        },
      },
    }),
  );
}

function accessErrors(access: Access): ErrorCode[] {
  if (access === 'public') return [];
  if (access === 'operator') return ['invalid_admin_token'];
  const identified: ErrorCode[] = [
    'unauthenticated',
    'invalid_access_token',
    'invalid_api_key',
    'repeated_header',
  ];
  if (access === 'optional') return identified.slice(1);
  if (access === 'user') return [...identified, 'user_required'];
  const member: ErrorCode[] = [...identified, 'org_required', 'org_mismatch', 'not_a_member'];
  return access === 'member' ? member : [...member, 'permission_denied'];
}

function documentation(options: EndpointOptions): MethodDecorator[] {
  const { access, response, status = 200 } = options;
  const permission = access.includes(':') ? `Needs the permission \`${access}\`.` : undefined;
  const description = [options.description, permission].filter((text) => text !== undefined).join('\n\n');
  const success = Array.isArray(response)
    ? ApiResponse({ status, type: response[0], isArray: true, description: 'Success' })
    : response === undefined
      ? ApiNoContentResponse({ description: 'Done; no body.' })
      : ApiResponse({ status, type: response, description: 'Success' });
  return [
    ApiOperation({ summary: options.summary, description }),
    success,
    ...errorResponses([...new Set([...accessErrors(access), ...(options.errors ?? [])])]),
    ...(access === 'public'
      ? []
      : [ApiBearerAuth(access === 'operator' ? 'admin' : 'bearer') as MethodDecorator]),
    ...(needsTenant(access)
      ? [
          ApiSecurity(API_KEY_SECURITY) as MethodDecorator,
          ApiHeader({
            name: 'X-Service-Org',
            required: false,
            description: 'Organization id or slug; may be left out by a member of exactly one organization.',
          }) as MethodDecorator,
        ]
      : []),
  ];
}

function endpoint(method: RequestMethod, path: string, options: EndpointOptions): MethodDecorator {
  return applyDecorators(
    RequestMapping({ method, path }),
    HttpCode(options.status ?? 200),
    SetMetadata(ACCESS, options.access),
    ...documentation(options),
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
};
