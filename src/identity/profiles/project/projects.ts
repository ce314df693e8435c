import { nameProblem, ServiceError } from '../../../http/index.js';
import type { Caller, ResolvedProject, ServiceRequest } from '../../../http/index.js';
import type { OwnAccountAccess } from '../../own-account/own-account-access.js';

/** Users of projects, and the operators of the deployment, manage their accounts by the same routes. */
export const OWN_ACCOUNT: OwnAccountAccess = {
  access: 'project_user',
  ownAccount: true,
  isForOperatorsToo: true,
};

export interface ProjectWithHosts extends ResolvedProject {
  /** In normal form, the first one first. */
  readonly hosts: readonly string[];
}

/** Finds projects, for mails and pages that name them. The module `projects` provides it. */
export abstract class ProjectNames {
  abstract findById(id: string): Promise<ProjectWithHosts | null>;
  abstract findByRef(ref: string): Promise<ResolvedProject | null>;
  /** Where the pages of its mails may end, as it is now; none for a project that does not exist. */
  abstract redirectUrlsOf(id: string): Promise<readonly string[]>;
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

/** What mails and pages call a project. Names from before links in names were refused must not reach strangers. */
export function nameInMails({ name, ref }: Pick<ResolvedProject, 'name' | 'ref'>): string {
  return nameProblem(name) === null ? name : ref;
}
