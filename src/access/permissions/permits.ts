import type { Caller, Tenant } from '../../http/index.js';
import { covers } from '../../rbac/index.js';

/** The permissions that change who may do what: those of the identity part, except the ones that only read. */
function changesAuthority(permission: string): boolean {
  const [capability, , action] = permission.split(':');
  return capability === 'auth' && action !== 'read';
}

/** Whether a caller may do this in its tenant. @param wanted a permission without wildcards */
export function permits(caller: Caller, { permissions }: Tenant, wanted: string): boolean {
  // A permission cannot say "all but". So a run token may hold `*`, and this lists what it lacks.
  if (caller.type === 'run' && changesAuthority(wanted)) return false;
  return covers(permissions, wanted);
}
