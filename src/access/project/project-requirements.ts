import { needsTenant, ServiceError } from '../../http/index.js';
import type { Access, Caller } from '../../http/index.js';

function unauthenticated(hint: string): ServiceError {
  return new ServiceError('unauthenticated', { hint });
}

/**
 * Refuses callers that a route does not allow. The next guard checks permissions, except those of the anon key. That
 * key is public, so its refusals cannot be attributed to anyone and are not recorded.
 *
 * @param callers those that the request's credentials belong to; the first is the caller
 * @throws unauthenticated, invalid_access_token, project_key_required, permission_denied
 */
export function requireCaller(access: Access, callers: readonly Caller[]): void {
  const [caller] = callers;
  if (access === 'project' || access === 'addressed' || access === 'optional') return;
  if (access === 'anon_key' || access === 'service_key') {
    if (caller === undefined) throw unauthenticated('Send a key of the project: apikey: <key>.');
    const isMet =
      access === 'anon_key'
        ? callers.some(({ type }) => type === 'project_key')
        : caller.type === 'project_key' && caller.role === 'service_role';
    if (!isMet) throw new ServiceError('project_key_required');
    return;
  }
  if (caller === undefined)
    throw unauthenticated('Send Authorization: Bearer <access token>; POST /auth/v1/token gives one.');
  if (access === 'project_user') {
    // A key is not a user's token, and is refused like an invalid one (identity document, section 5).
    if (caller.type !== 'user') throw new ServiceError('invalid_access_token');
    return;
  }
  const isAnonymous = caller.type === 'project_key' && caller.role === 'anon';
  if (!needsTenant(access) || access === 'member' || isAnonymous) throw new ServiceError('permission_denied');
}
