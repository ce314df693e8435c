import type { ExecutionContext } from '@nestjs/common';
import { needsProvenAddress, needsTenant } from './access-kinds.js';
import type { Access, RunTokenAccess } from './access-kinds.js';
import { ACCESS, FOR_OPERATORS_TOO, LEAVES, OWN_ACCOUNT, RUN_TOKENS } from './endpoint.js';

/** Who may call a route, as the guards ask for it at every request. */
export interface RouteAccess {
  /** Undefined on a route that declares nothing, which is open to nobody. */
  readonly access: Access | undefined;
  /** Null where the access is not by a permission. */
  readonly permission: string | null;
  readonly needsTenant: boolean;
  readonly needsProvenAddress: boolean;
  readonly runTokens: RunTokenAccess | undefined;
  /** Whether users leave the organization by it, who name themselves as `user_id`. */
  readonly leaves: boolean;
  /** Whether operators manage their own accounts by it, who are of no project. */
  readonly isForOperatorsToo: boolean;
}

/** What a route declares does not change, and to look it up costs more than the guards themselves. */
const known = new WeakMap<object, RouteAccess>();

export function routeAccess(context: ExecutionContext): RouteAccess {
  const handler = context.getHandler();
  const found = known.get(handler);
  if (found !== undefined) return found;
  const access = Reflect.getMetadata(ACCESS, handler) as Access | undefined;
  const ownAccount = Reflect.getMetadata(OWN_ACCOUNT, handler) === true;
  const declared: RouteAccess = {
    access,
    permission: access?.includes(':') === true ? access : null,
    needsTenant: access !== undefined && needsTenant(access),
    needsProvenAddress: access !== undefined && needsProvenAddress(access, ownAccount),
    runTokens: Reflect.getMetadata(RUN_TOKENS, handler) as RunTokenAccess | undefined,
    leaves: Reflect.getMetadata(LEAVES, handler) === true,
    isForOperatorsToo: Reflect.getMetadata(FOR_OPERATORS_TOO, handler) === true,
  };
  known.set(handler, declared);
  return declared;
}
