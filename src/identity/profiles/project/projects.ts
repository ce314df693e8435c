import { ServiceError } from '../../../http/index.js';
import type { Caller, ResolvedProject, ServiceRequest } from '../../../http/index.js';
import type { RealmId } from '../../users/user.repository.js';

/** Finds projects, for mails and pages that name them. The module `projects` provides it. */
export abstract class ProjectNames {
  abstract findById(id: string): Promise<ResolvedProject | null>;
  abstract findByRef(ref: string): Promise<ResolvedProject | null>;
}

/** In a project, an address names one account of that project. */
export function realmOf(project: ResolvedProject): RealmId {
  return project.id as string as RealmId;
}

/**
 * A password sign-in requires a key of the project. It shares its path with refresh, which requires none, so that the
 * body decides and not the route. @throws unauthenticated, project_key_required
 */
export function requireProjectKey({ caller, projectKey }: ServiceRequest): void {
  if (projectKey !== undefined) return;
  if (caller !== undefined) throw new ServiceError('project_key_required');
  throw new ServiceError('unauthenticated', {
    hint: 'Send a key of the project: apikey: <key>.',
  });
}

/** Whether the caller holds the project's service key. */
export function isServiceKey(caller: Caller): boolean {
  return caller.type === 'project_key' && caller.role === 'service_role';
}
