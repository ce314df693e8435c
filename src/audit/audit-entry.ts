import { newId } from '../platform/crypto/index.js';
import type { Caller, OperatorCaller, Origin } from '../http/index.js';
import type { TenantEvent } from '../tenancy/index.js';
import { recordedDetails } from './recorded-details.js';

export interface Actor {
  readonly type: 'user' | 'api_key' | 'project_key' | 'run' | 'operator' | 'system' | 'anonymous';
  readonly id: string | null;
  /** The address of an operator's account. The entry keeps it even after the account is deleted. */
  readonly email?: string;
}

/** Who acts, and from where: in a request, or in the program itself, which has no origin. */
export interface AuditContext {
  readonly actor: Actor;
  readonly origin: Origin | null;
}

export interface Target {
  readonly type: string;
  readonly id: string;
}

/** What happened, as its author describes it. The trail adds the id, the time and the position in the chain. */
export interface AuditEvent {
  readonly actor: Actor;
  /** Dotted, subject first: `session.revoked`. */
  readonly action: string;
  readonly target: Target | null;
  /** The tenant whose trail it belongs to; if null, it belongs to the user's trail. */
  readonly tenantId: string | null;
  readonly userId: string | null;
  readonly origin: Origin | null;
  readonly details?: Readonly<Record<string, unknown>>;
  /** What else happened in the tenant, for jobs that listen to events. This is not part of the entry. */
  readonly events?: readonly TenantEvent[];
  /** For an account that no longer exists, so that its realm cannot be looked up. Not part of the entry either. */
  readonly realmId?: string;
}

/** The program itself. */
export const SYSTEM: Actor = { type: 'system', id: null };

/** Whoever has the operator's token or access to the machine. On routes, `actorOf` names the operator. */
export const OPERATOR: Actor = { type: 'operator', id: null };

/** A caller who is not authenticated. */
export const ANONYMOUS: Actor = { type: 'anonymous', id: null };

/** The caller of a request, as the audit trail names it. */
export function actorOf(caller: Caller | OperatorCaller): Actor {
  if (caller.type === 'operator') {
    const { account } = caller;
    return account === null ? OPERATOR : { type: 'operator', id: account.userId, email: account.email };
  }
  if (caller.type === 'user') return { type: 'user', id: caller.userId };
  return caller.type === 'run' ? { type: 'run', id: caller.runId } : { type: caller.type, id: caller.keyId };
}

/** A key for what is counted by caller. Throws on a public route, which is a mistake in the route. */
export function callerKey(caller: Caller | OperatorCaller | undefined): string {
  if (caller === undefined) throw new Error('the route counts its callers but declares itself public');
  const { type, id } = actorOf(caller);
  return `${type}:${id}`;
}

/**
 * An event in the trail of an account: by its user and about the account, unless `event` overrides this.
 * @param userId null for an attempt on an account that does not exist
 */
export function accountEvent(
  userId: string | null,
  event: Pick<AuditEvent, 'action' | 'origin'> &
    Partial<Pick<AuditEvent, 'actor' | 'target' | 'details' | 'events' | 'realmId'>>,
): AuditEvent {
  const account = userId === null ? null : ({ type: 'user', id: userId } as const);
  return { actor: account ?? ANONYMOUS, target: account, tenantId: null, userId, ...event };
}

/** The chain of events that concern no known organization or user, such as a sign-in with an unknown address. */
const DEPLOYMENT_CHAIN = 'deployment';

export function tenantChain(tenantId: string): string {
  return `org:${tenantId}`;
}

export function userChain(userId: string): string {
  return `user:${userId}`;
}

/** The hash chain that an entry belongs to. */
export function chainOf(entry: { readonly tenantId: string | null; readonly userId: string | null }): string {
  if (entry.tenantId !== null) return tenantChain(entry.tenantId);
  return entry.userId !== null ? userChain(entry.userId) : DEPLOYMENT_CHAIN;
}

/** An event with its id, time and chain, and the text that its hash covers. */
export interface NewEntry {
  readonly id: string;
  readonly at: Date;
  readonly chainId: string;
  readonly event: AuditEvent;
  /** JSON. */
  readonly details: string;
  readonly body: string;
}

export function entryOf(event: AuditEvent, at: Date): NewEntry {
  const id = newId();
  const { type, id: actorId, email } = event.actor;
  const details = recordedDetails({
    ...event.details,
    ...(email === undefined ? {} : { operator: email }),
  });
  const body = JSON.stringify({
    id,
    at: at.toISOString(),
    actor: { type, id: actorId },
    action: event.action,
    target: event.target,
    org_id: event.tenantId,
    user_id: event.userId,
    ip: event.origin?.ip ?? null,
    user_agent: event.origin?.userAgent ?? null,
    details,
  });
  return { id, at, chainId: chainOf(event), event, details: JSON.stringify(details), body };
}
