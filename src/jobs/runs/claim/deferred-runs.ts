import { Inject, Injectable, Logger } from '@nestjs/common';
import { RunClaims } from './run-claims.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import type { ReceivedWakeUp } from '../queue/run-wake-ups.js';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';

interface PassedRun {
  readonly wakeUp: ReceivedWakeUp;
  readonly until: number;
}

interface DeferredTenant {
  /** Held only in this worker's memory, in the order in which they arrived. */
  readonly held: ReceivedWakeUp[];
  timer: NodeJS.Timeout | null;
  /** Back in the queue, for any worker. */
  passed: PassedRun | null;
  /** Counts throttled runs, so that a search for throttled runs can tell whether it must be repeated. */
  throttleCount: number;
}

/**
 * Runs that this worker received while their tenant held its share of the slots. They wait here for a moment. Then
 * the first one goes back to the queue, for workers where the tenant holds fewer slots, and the others are throttled.
 * A tenant has at most one such run in the queue, so the number of waiting runs does not load the queue.
 */
@Injectable()
export class DeferredRuns {
  private readonly logger = new Logger(DeferredRuns.name);
  private readonly tenants = new Map<string, DeferredTenant>();
  private hasFreeSlot: (tenantId: string) => boolean = () => true;

  constructor(
    private readonly dispatcher: RunDispatcher,
    private readonly claims: RunClaims,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @param hasFreeSlot whether a tenant may hold another slot here */
  start(hasFreeSlot: (tenantId: string) => boolean): void {
    this.hasFreeSlot = hasFreeSlot;
  }

  add(wakeUp: ReceivedWakeUp, tenantId: string): void {
    const tenant = this.tenants.get(tenantId) ?? { held: [], timer: null, passed: null, throttleCount: 0 };
    this.tenants.set(tenantId, tenant);
    // The sweeper also wakes runs that are already in the queue. If those were passed on too, their wake-ups would
    // multiply.
    if (isHeldOrPassed(tenant, wakeUp.runId)) return;
    tenant.held.push(wakeUp);
    tenant.timer ??= setTimeout(() => {
      tenant.timer = null;
      void this.passOnOrThrottle(tenantId, tenant);
    }, this.config.timing.workers.holdMs);
  }

  /**
   * Notes that a wake-up arrived. If it is the one that was passed on, which its number of passes shows, the tenant
   * no longer has one in the queue. A different wake-up of the same run does not change that.
   */
  noteArrival(wakeUp: ReceivedWakeUp, tenantId: string): void {
    const tenant = this.tenants.get(tenantId);
    const passed = tenant?.passed?.wakeUp;
    if (tenant !== undefined && passed?.runId === wakeUp.runId && wakeUp.passes > passed.passes)
      tenant.passed = null;
  }

  /** Forgets a tenant that no longer holds a slot here. */
  forget(tenantId: string): void {
    if (this.tenants.get(tenantId)?.held.length === 0) this.tenants.delete(tenantId);
  }

  /** The run to try next in a slot that the tenant has freed; null when none is deferred here. */
  next(tenantId: string): string | null {
    const tenant = this.tenants.get(tenantId);
    if (tenant === undefined) return null;
    const { passed } = tenant;
    tenant.passed = null;
    return passed?.wakeUp.runId ?? tenant.held.shift()?.runId ?? null;
  }

  /**
   * Puts a run back into the queue instead, where other tenants may come first. Returns false when none is held here.
   */
  async wakeNext(tenantId: string): Promise<boolean> {
    const wakeUp = this.tenants.get(tenantId)?.held.shift();
    if (wakeUp !== undefined) await this.dispatcher.passOn([wakeUp], 0);
    return wakeUp !== undefined;
  }

  /** Grows with each run of the tenant that this worker throttles. */
  throttleCountOf(tenantId: string): number {
    return this.tenants.get(tenantId)?.throttleCount ?? 0;
  }

  /** Puts a run back into the queue at once, for other workers. */
  async requeue(wakeUp: ReceivedWakeUp): Promise<void> {
    await this.dispatcher.passOn([wakeUp], 0);
  }

  /** Puts all runs back into the queue, for other workers. */
  async requeueAll(): Promise<void> {
    const held = [...this.tenants.values()].flatMap((tenant) => {
      if (tenant.timer !== null) clearTimeout(tenant.timer);
      tenant.timer = null;
      return tenant.held.splice(0);
    });
    await this.dispatcher.passOn(held, 0);
  }

  private async passOnOrThrottle(tenantId: string, tenant: DeferredTenant): Promise<void> {
    const now = performance.now();
    if (tenant.passed !== null && tenant.passed.until < now) tenant.passed = null;
    const wakeUps = tenant.held.splice(0);
    const first = tenant.passed === null ? wakeUps.shift() : undefined;
    try {
      if (first !== undefined) {
        const { firstPassMs, longestPassMs, passGraceMs } = this.config.timing.workers;
        const delayMs = Math.min(firstPassMs * 2 ** Math.min(first.passes, 10), longestPassMs);
        tenant.passed = { wakeUp: first, until: now + delayMs + passGraceMs };
        await this.dispatcher.passOn([first], delayMs);
      }
      await Promise.all(wakeUps.map(({ runId }) => this.throttle(tenantId, tenant, runId)));
    } catch (error) {
      this.logger.warn(error, 'could not throttle a run; the sweeper will');
    }
  }

  private async throttle(tenantId: string, tenant: DeferredTenant, runId: string): Promise<void> {
    const slot = await this.claims.throttle(runId);
    if (slot === null) return;
    tenant.throttleCount += 1;
    // A slot has become free in the meantime, and the run that freed it found no throttled run.
    if (this.hasFreeSlot(tenantId)) await this.claims.passOn(slot);
  }
}

/** Whether another wake-up of the run is held here or, as far as this worker knows, is in the queue. */
function isHeldOrPassed({ held, passed }: DeferredTenant, runId: string): boolean {
  if (passed?.wakeUp.runId === runId && passed.until > performance.now()) return true;
  return held.some((other) => other.runId === runId);
}
