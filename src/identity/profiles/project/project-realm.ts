import type { ResolvedProject } from '../../../platform/http/index.js';
import type { RealmId } from '../../users/user.repository.js';

/** In a project, an address names one account of that project. */
export function realmOf(project: ResolvedProject): RealmId {
  return project.id as string as RealmId;
}
