import type { Caller, ResolvedProject, Tenant } from '../../http/index.js';

/** What users may do with the jobs that are open to them (contract, section 6). */
const USER_PERMISSIONS = ['jobs:jobs:trigger', 'jobs:runs:read'];

/** The project as the tenant that a caller acts in. The anon key is everybody's and may do nothing here. */
export function tenantOf({ id, ref, name }: ResolvedProject, caller: Caller): Tenant {
  const project = { id, slug: ref, name };
  if (caller.type === 'user')
    return { ...project, role: 'authenticated', permissions: USER_PERMISSIONS, reach: 'own' };
  const isService =
    caller.type === 'run' || (caller.type === 'project_key' && caller.role === 'service_role');
  return isService
    ? { ...project, role: 'service_role', permissions: ['*'], reach: 'all' }
    : { ...project, role: 'anon', permissions: [], reach: 'own' };
}
