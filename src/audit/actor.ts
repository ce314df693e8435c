import type { Caller } from '../http/index.js';
import type { Actor, AuditEvent } from './audit-entry.js';

/** The holder of the operator's token. */
export const OPERATOR: Actor = { type: 'operator', id: null };

/** A caller who has proven no identity. */
export const ANONYMOUS: Actor = { type: 'anonymous', id: null };

/** The caller of a request, as the audit trail names it. */
export function actorOf(caller: Caller): Actor {
  if (caller.type === 'user') return { type: 'user', id: caller.userId };
  return caller.type === 'run' ? { type: 'run', id: caller.runId } : { type: caller.type, id: caller.keyId };
}

/**
 * An event in the trail of an account: by its user and about the account, unless `event` says otherwise.
 * @param userId null for an attempt on an account that does not exist
 */
export function accountEvent(
  userId: string | null,
  event: Pick<AuditEvent, 'action' | 'origin'> & Partial<Pick<AuditEvent, 'actor' | 'target' | 'details'>>,
): AuditEvent {
  const account = userId === null ? null : ({ type: 'user', id: userId } as const);
  return { actor: account ?? ANONYMOUS, target: account, orgId: null, userId, ...event };
}
