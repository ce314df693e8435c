import { ServiceError } from '../../http/index.js';
import type { FieldProblem, Caller, Tenant } from '../../http/index.js';
import { isPermission, covers } from '../../rbac/index.js';

/** Longer than any permission that a role or a key may have. Characters. */
const MAX_LENGTH = 255;
const FORM = 'must be <capability>:<resource>:<action>, without *';

/** Whether this names one thing to do. What is asked for is concrete; only what is held may have wildcards. */
export function isConcretePermission(value: unknown): value is string {
  return (
    typeof value === 'string' && value.length <= MAX_LENGTH && isPermission(value) && !value.includes('*')
  );
}

/** The items of a list that name no single permission, each with its path. */
export function concretePermissionProblems(list: readonly unknown[], path: string): FieldProblem[] {
  return list.flatMap((item, index) =>
    isConcretePermission(item) ? [] : [{ path: `${path}[${index}]`, message: FORM }],
  );
}

/** @throws validation_failed */
export function readConcretePermission(value: unknown, path: string): string {
  if (isConcretePermission(value)) return value;
  throw new ServiceError('validation_failed', { details: [{ path, message: FORM }] });
}

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
