import { ServiceError } from '../../../http/index.js';
import type { Caller, Tenant } from '../../../http/index.js';
import type { AttemptName } from './run.js';

/**
 * Returns whose runs a caller may see and create: null for all runs of the tenant, otherwise the user.
 * @throws permission_denied for a caller who may reach only their own runs but is no user, nor acts as one
 */
export function runOwner({ reach }: Tenant, caller: Caller): string | null {
  if (reach === 'all') return null;
  if (caller.type === 'user') return caller.userId;
  if (caller.type === 'run' && caller.userId !== null) return caller.userId;
  throw new ServiceError('permission_denied');
}

/** @throws permission_denied for callers who may reach only their own runs */
export function requireFullReach({ reach }: Tenant): void {
  if (reach !== 'all') throw new ServiceError('permission_denied');
}

/**
 * The attempt of this run for which the caller has a token. The token alone says for which: of a run with several attempts,
 * each has its own.
 * @param message of the error, where its meaning does not fit
 * @throws run_token_required
 */
export function requireOwnRun(
  { id: tenantId }: Tenant,
  caller: Caller,
  runId: string,
  message?: string,
): AttemptName {
  if (caller.type !== 'run' || caller.runId !== runId)
    throw new ServiceError('run_token_required', message === undefined ? {} : { message });
  return { runId, attempt: caller.attempt, tenantId };
}

/** The same, if it is this attempt. @throws run_token_required */
export function requireOwnAttempt(
  tenant: Tenant,
  caller: Caller,
  runId: string,
  attempt: string,
): AttemptName {
  const own = requireOwnRun(tenant, caller, runId);
  if (String(own.attempt) !== attempt) throw new ServiceError('run_token_required');
  return own;
}
