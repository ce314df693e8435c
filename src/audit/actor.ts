import type { Caller } from '../platform/http/index.js';
import type { Actor } from './audit-entry.js';

/** The caller of a request, as the audit trail names it. */
export function actorOf(caller: Caller): Actor {
  return caller.type === 'user' ? { type: 'user', id: caller.userId } : { type: 'api_key', id: caller.keyId };
}
