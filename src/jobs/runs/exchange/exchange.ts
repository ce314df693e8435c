import type { TenantId } from '../../../http/index.js';
import type { Quota } from '../../../limits/index.js';
import type { AttemptEnd, RunEnd } from '../model/attempt-end.js';
import type { ClaimedRun, EndedRun, NewRun, Run, RunAtFence } from '../model/run.js';

/** A deferral of an attempt: its handler will report the end. */
export interface Deferral extends RunAtFence {
  readonly workerId: string;
}

/** What happens to the runs of one tenant in one exchange, in this order. */
export interface TenantExchange {
  readonly tenantId: TenantId;
  readonly defers?: readonly Deferral[];
  readonly ends?: readonly (AttemptEnd | RunEnd)[];
  readonly arrivals?: readonly NewRun[];
  /** How many runs the worker can begin. */
  readonly slots?: number;
}

/** A run that has ended, or will be retried. */
export interface WrittenEnd extends EndedRun, RunAtFence {
  readonly tenantId: TenantId;
  readonly jobId: string;
  /** When the next attempt may begin. */
  readonly dueAt: Date;
}

/** The end of an attempt that was written, and how long its run waits for the next attempt. */
export interface WrittenAttempt extends WrittenEnd {
  readonly delayMs: number;
}

/** A run that was refused because the tenant has reached a quota of waiting runs or bytes. */
export interface AcceptedRun extends Run {
  /** The id with which it arrived: another one if it joined a run that was waiting. */
  readonly arrivedAs: string;
  /** In how many milliseconds it is due. */
  readonly dueInMs: number;
}

export interface RefusedRun {
  readonly id: string;
  readonly quota: Quota;
}

/** What the queue of a tenant is after an exchange. */
export interface QueueAfter {
  /** Whether runs wait, due or not. */
  readonly isWaiting: boolean;
  /** Whether one of them may begin now, and workers have slots for it. */
  readonly hasRoom: boolean;
}

export interface TenantExchanged extends QueueAfter {
  readonly tenantId: TenantId;
  /** The ids of the runs whose attempts are deferred now. */
  readonly deferred: ReadonlySet<string>;
  readonly ends: readonly WrittenEnd[];
  /** As they were then, even if their first attempt has begun since. */
  readonly accepted: readonly AcceptedRun[];
  readonly refused: readonly RefusedRun[];
  /** Whether runs had no place under the concurrency of their job, which has them or others end for it. */
  readonly hasBlocked: boolean;
  /** In how many milliseconds the rate of a job leaves a place for runs that wait for it; null where none does. */
  readonly placeInMs: number | null;
  /** For the slots, in their turn. */
  readonly claimed: readonly ClaimedRun[];
}

/** What is of a tenant each, by tenant. */
export function byTenant<Item extends { readonly tenantId: TenantId }>(
  items: readonly Item[],
): Map<TenantId, Item[]> {
  const tenants = new Map<TenantId, Item[]>();
  for (const item of items) {
    const own = tenants.get(item.tenantId);
    if (own === undefined) tenants.set(item.tenantId, [item]);
    else own.push(item);
  }
  return tenants;
}
