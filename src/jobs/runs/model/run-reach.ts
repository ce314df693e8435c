import { ServiceError } from '../../../http/index.js';
import type { Caller, Tenant } from '../../../http/index.js';

/**
 * Returns whose runs a caller may see and create: null for all runs of the tenant, otherwise the user.
 * @throws permission_denied for a caller who may reach only their own runs but is not a user
 */
export function runOwner({ reach }: Tenant, caller: Caller): string | null {
  if (reach === 'all') return null;
  if (caller.type === 'user') return caller.userId;
  throw new ServiceError('permission_denied');
}

/** @throws permission_denied for callers who may reach only their own runs */
export function requireFullReach({ reach }: Tenant): void {
  if (reach !== 'all') throw new ServiceError('permission_denied');
}
