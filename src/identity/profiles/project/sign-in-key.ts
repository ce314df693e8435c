import { ServiceError } from '../../../platform/http/index.js';
import type { Caller, ServiceRequest } from '../../../platform/http/index.js';

/**
 * A password sign-in needs a key of the project. It shares its path with refresh, which needs none, so that the body
 * decides and not the route. @throws unauthenticated, project_key_required
 */
export function requireProjectKey({ caller, projectKey }: ServiceRequest): void {
  if (projectKey !== undefined) return;
  if (caller !== undefined) throw new ServiceError('project_key_required');
  throw new ServiceError('unauthenticated', {
    hint: 'Send a key of the project: apikey: <key>.',
  });
}

/** Whether a program of the project calls, on behalf of whomever it likes. */
export function isServiceKey(caller: Caller): boolean {
  return caller.type === 'project_key' && caller.role === 'service_role';
}
