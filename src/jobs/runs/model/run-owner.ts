import { ServiceError } from '../../../platform/http/index.js';
import type { Caller, Tenant } from '../../../platform/http/index.js';

/**
 * Whose runs a caller may see and make: null for all of the tenant's, else the user who may see their own.
 * @throws permission_denied for whoever reaches no further than their own, and is no user to have any
 */
export function runOwner({ reach }: Tenant, caller: Caller): string | null {
  if (reach === 'all') return null;
  if (caller.type === 'user') return caller.userId;
  throw new ServiceError('permission_denied');
}

/** @throws permission_denied for who reaches no further than their own runs */
export function requireFullReach({ reach }: Tenant): void {
  if (reach !== 'all') throw new ServiceError('permission_denied');
}
