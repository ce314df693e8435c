import type { Caller } from '../http/index.js';
import type { Actor } from './audit-entry.js';

/** Whoever holds the operator's token. */
export const OPERATOR: Actor = { type: 'operator', id: null };

/** The caller of a request, as the audit trail names it. */
export function actorOf(caller: Caller): Actor {
  if (caller.type === 'user') return { type: 'user', id: caller.userId };
  return caller.type === 'run' ? { type: 'run', id: caller.runId } : { type: caller.type, id: caller.keyId };
}
