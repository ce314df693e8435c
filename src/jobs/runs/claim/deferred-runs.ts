import { Injectable, Logger } from '@nestjs/common';
import { RunClaims } from './run-claims.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import type { ReceivedWakeUp } from '../queue/run-wake-ups.js';

/** A slot of the tenant mostly becomes free within this; until then the run costs neither SQL nor Redis. */
const HELD_MS = 50;
const FIRST_PASS_MS = 100;
const LONGEST_PASS_MS = 1000;
/** After so long without a sign of the run that was passed on, another worker has it. */
const PASS_GRACE_MS = 1000;

interface PassedRun {
  readonly wakeUp: ReceivedWakeUp;
  readonly until: number;
}

interface Waiting {
  /** Here only, those that came first first. */
  readonly held: ReceivedWakeUp[];
  timer: NodeJS.Timeout | null;
  /** In the queue again, for whichever worker comes for it. */
  passed: PassedRun | null;
  /** Counts what was throttled, so that who looked for throttled runs meanwhile looks again. */
  throttleCount: number;
}

/**
 * Runs that came to this worker while their tenant held its share of the slots. They wait here for a moment; then the
 * first goes back to the queue, for workers where the tenant holds less, and the others are throttled. A tenant has one in
 * the queue at a time, so however many wait, the queue is not busy with them.
 */
@Injectable()
export class DeferredRuns {
  private readonly logger = new Logger(DeferredRuns.name);
  private readonly tenants = new Map<string, Waiting>();
  private hasFreeSlot: (tenantId: string) => boolean = () => true;

  constructor(
    private readonly dispatcher: RunDispatcher,
    private readonly claims: RunClaims,
  ) {}

  /** @param hasRoom whether a tenant may hold another slot here */
  start(hasFreeSlot: (tenantId: string) => boolean): void {
    this.hasFreeSlot = hasFreeSlot;
  }

  add(wakeUp: ReceivedWakeUp, tenantId: string): void {
    const waiting = this.tenants.get(tenantId) ?? { held: [], timer: null, passed: null, throttleCount: 0 };
    this.tenants.set(tenantId, waiting);
    // The sweeper calls a run that is in the queue already; passed on as well, its wake-ups would become ever more.
    if (isKnown(waiting, wakeUp.runId)) return;
    waiting.held.push(wakeUp);
    waiting.timer ??= setTimeout(() => {
      waiting.timer = null;
      void this.letGo(tenantId, waiting);
    }, HELD_MS);
  }

  /** A wake-up has come. The one that was passed on is known by its passes; another of the run leaves it in the queue. */
  came(wakeUp: ReceivedWakeUp, tenantId: string): void {
    const waiting = this.tenants.get(tenantId);
    const passed = waiting?.passed?.wakeUp;
    if (waiting !== undefined && passed?.runId === wakeUp.runId && wakeUp.passes > passed.passes)
      waiting.passed = null;
  }

  /** The tenant holds no slot here any more. */
  forget(tenantId: string): void {
    if (this.tenants.get(tenantId)?.held.length === 0) this.tenants.delete(tenantId);
  }

  /** The run to be tried next in a slot that the tenant has left; null when none is known of here. */
  next(tenantId: string): string | null {
    const waiting = this.tenants.get(tenantId);
    if (waiting === undefined) return null;
    const { passed } = waiting;
    waiting.passed = null;
    return passed?.wakeUp.runId ?? waiting.held.shift()?.runId ?? null;
  }

  /** Calls a run through the queue instead, where other tenants may come first; false when none is held here. */
  async callNext(tenantId: string): Promise<boolean> {
    const wakeUp = this.tenants.get(tenantId)?.held.shift();
    if (wakeUp !== undefined) await this.dispatcher.passOn([wakeUp], 0);
    return wakeUp !== undefined;
  }

  /** Grows with each run of the tenant that is throttled from here. */
  throttleCountOf(tenantId: string): number {
    return this.tenants.get(tenantId)?.throttleCount ?? 0;
  }

  /** Leaves a run to other workers, without a wait. */
  async leave(wakeUp: ReceivedWakeUp): Promise<void> {
    await this.dispatcher.passOn([wakeUp], 0);
  }

  /** Leaves all to other workers. */
  async giveBack(): Promise<void> {
    const held = [...this.tenants.values()].flatMap((waiting) => {
      if (waiting.timer !== null) clearTimeout(waiting.timer);
      waiting.timer = null;
      return waiting.held.splice(0);
    });
    await this.dispatcher.passOn(held, 0);
  }

  private async letGo(tenantId: string, waiting: Waiting): Promise<void> {
    const now = performance.now();
    if (waiting.passed !== null && waiting.passed.until < now) waiting.passed = null;
    const wakeUps = waiting.held.splice(0);
    const first = waiting.passed === null ? wakeUps.shift() : undefined;
    try {
      if (first !== undefined) {
        const delayMs = Math.min(FIRST_PASS_MS * 2 ** Math.min(first.passes, 10), LONGEST_PASS_MS);
        waiting.passed = { wakeUp: first, until: now + delayMs + PASS_GRACE_MS };
        await this.dispatcher.passOn([first], delayMs);
      }
      await Promise.all(wakeUps.map(({ runId }) => this.throttle(tenantId, waiting, runId)));
    } catch (error) {
      this.logger.warn(error, 'could not throttle a run; the sweeper will');
    }
  }

  private async throttle(tenantId: string, waiting: Waiting, runId: string): Promise<void> {
    const slot = await this.claims.throttle(runId);
    if (slot === null) return;
    waiting.throttleCount += 1;
    // The slot that it waited for has become free, and whoever left it saw none throttled.
    if (this.hasFreeSlot(tenantId)) await this.claims.passOn(slot);
  }
}

/** Whether another wake-up of the run is held here, or is in the queue as far as can be told. */
function isKnown({ held, passed }: Waiting, runId: string): boolean {
  if (passed?.wakeUp.runId === runId && passed.until > performance.now()) return true;
  return held.some((other) => other.runId === runId);
}
