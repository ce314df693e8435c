import { RequestMethod } from '@nestjs/common';
import type { ErrorCode } from '../errors/error-codes.js';

/**
 * How a route treats run tokens, if the rule of `opensToRuns` does not fit. `attempt`: only the handler of an attempt may call
 * it, also with a token that has expired or whose attempt has ended, because the route checks the attempt itself.
 * `attempt_or_permission`: so may a caller with the permission that is no run.
 */
export type RunTokenAccess = 'open' | 'closed' | 'attempt' | 'attempt_or_permission';

/** Whether a route takes the token of an attempt that may be over. */
export function checksAttempt(declared: RunTokenAccess | undefined): boolean {
  return declared === 'attempt' || declared === 'attempt_or_permission';
}

const CHANGED_BY_PEOPLE = /^\/auth\/v1(?:\/|$)/;
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a run token may call a route at all (contract section 9.7): any route, except those that change something
 * under `/auth/v1`. The rule goes by method and path, so that no route can be forgotten.
 *
 * @param path the route's template or the path of a request
 * @param declared what the route declares, which takes precedence
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

/** Whether a route may require that the caller's address is verified, with `identity.require_verified_email`. */
export function needsProvenAddress(access: Access, ownAccount: boolean): boolean {
  return !ownAccount && (access === 'user' || access === 'project_user' || needsTenant(access));
}

/** The errors with which the guards may refuse a route with this access. */
export function accessErrors(access: Access, ownAccount: boolean): ErrorCode[] {
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

/** Changes of a tenant wait in a queue, which may be full. */
export function changeErrors(method: RequestMethod, access: Access): ErrorCode[] {
  const isChange = method !== RequestMethod.GET && (access.includes(':') || access === 'service_key');
  return isChange ? ['overloaded'] : [];
}
