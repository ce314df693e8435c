import type { Change } from '../../events/index.js';
import type { Caller } from '../../http/index.js';

/** The caller of a streamed response, and the tenant that it concerns. */
export interface Watched {
  readonly caller: Caller;
  readonly tenantId: string;
}

/** Whether the caller's access may have ended by this change. */
export function concerns({ kind, id }: Change, { caller, tenantId }: Watched): boolean {
  const isOneOf = (...ids: readonly string[]): boolean => id === '*' || ids.includes(id);
  switch (kind) {
    case 'user':
      return caller.type === 'user' && isOneOf(caller.userId);
    case 'membership':
      return caller.type === 'user' && isOneOf(caller.userId, tenantId);
    case 'api_key':
      return caller.type === 'api_key' && isOneOf(caller.keyId);
    case 'organization':
    case 'project':
      return isOneOf(tenantId);
    case 'run_taken':
      return caller.type === 'run' && isOneOf(caller.runId);
    case 'signing_keys':
      return caller.type === 'user' || caller.type === 'run';
    case 'signing_secret':
      return false;
  }
}
