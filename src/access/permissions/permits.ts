import type { Caller, Tenant } from '../../http/index.js';
import { covers } from '../../rbac/index.js';

/** What changes who may do what: every permission of this program's identity part but those to read. */
function changesAuthority(permission: string): boolean {
  const [capability, , action] = permission.split(':');
  return capability === 'auth' && action !== 'read';
}

/**
 * Whether a caller may do this in the tenant that it acts in.
 * @param wanted a permission without wildcards
 */
export function permits(caller: Caller, { permissions }: Tenant, wanted: string): boolean {
  // No permission says "all but"; so the token of a run holds `*`, and here is what it does not have.
  if (caller.type === 'run' && changesAuthority(wanted)) return false;
  return covers(permissions, wanted);
}
