import type { ExecutionContext } from '@nestjs/common';
import { needsProvenAddress, needsTenant } from './access-kinds.js';
import type { Access, RunTokenAccess } from './access-kinds.js';
import { ACCESS, FOR_OPERATORS_TOO, LEAVES, OWN_ACCOUNT, RUN_TOKENS } from './endpoint.js';

/** The access that a route declares, as the guards read it for every request. */
export interface RouteAccess {
  /** Undefined for a route that declares nothing. Nobody may call it. */
  readonly access: Access | undefined;
  /** Null if the access is not a permission. */
  readonly permission: string | null;
  readonly needsTenant: boolean;
  readonly needsProvenAddress: boolean;
  readonly runTokens: RunTokenAccess | undefined;
  /** Whether users leave the organization with it, by naming themselves as `user_id`. */
  readonly leaves: boolean;
  /** Whether operators, who belong to no project, manage their own accounts with it. */
  readonly isForOperatorsToo: boolean;
}

/** What a route declares does not change, and reading it costs more than the guards themselves. */
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
