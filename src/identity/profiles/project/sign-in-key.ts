import { ServiceError } from '../../../platform/http/index.js';
import type { ServiceRequest } from '../../../platform/http/index.js';

/**
 * A password sign-in needs a key of the project. It shares its path with refresh, which needs none, so that the body
 * decides and not the route. @throws unauthenticated, project_key_required
 */
export function demandProjectKey({ caller, projectKey }: ServiceRequest): void {
  if (projectKey !== undefined) return;
  if (caller !== undefined) throw new ServiceError('project_key_required');
  throw new ServiceError('unauthenticated', {
    headers: { 'WWW-Authenticate': 'Bearer' },
    hint: 'Send a key of the project: apikey: <key>.',
  });
}
