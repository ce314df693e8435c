import { Logger } from '@nestjs/common';
import type { Config } from '../../platform/config/index.js';
import { isTransient } from '../../platform/database/index.js';
import type { Database, Tx } from '../../platform/database/index.js';
import type { RunEnqueuer } from '../runs/enqueue/run-enqueuer.js';
import { newRunId } from '../runs/model/run-id.js';
import type { RunTrigger } from '../runs/model/run.js';
import { WAITS_FOR_QUOTA } from './outbox.repository.js';
import type { OutboxEvent, OutboxRepository, WaitingQuota } from './outbox.repository.js';

const BATCH = 500;

/**
 * Creates runs for the events of an outbox. The transaction that accepts a run deletes its event. The scheduler's tick
 * does this work, on any number of instances.
 */
export abstract class OutboxRelay<Event extends OutboxEvent> {
  abstract readonly name: string;
  readonly isDue: string;
  private readonly logger = new Logger(OutboxRelay.name);
  /**
   * How many events to process one at a time after a batch failed, until the event that caused the failure is set
   * aside.
   */
  private oneByOneFor = 0;
  private readonly quota: WaitingQuota;

  protected constructor(
    private readonly database: Database,
    private readonly events: OutboxRepository<Event>,
    private readonly enqueuer: RunEnqueuer,
    { limits }: Config,
  ) {
    this.quota = {
      runs: limits.waitingRuns || Number.MAX_SAFE_INTEGER,
      bytes: limits.waitingPayloadBytes || Number.MAX_SAFE_INTEGER,
    };
    this.isDue = events.isDue(this.quota);
  }

  /** @returns whether there may be more */
  async doSome(): Promise<boolean> {
    return this.oneByOneFor > 0 ? await this.relayOne() : await this.relayMany();
  }

  private async relayMany(): Promise<boolean> {
    try {
      return await this.database.transaction(async (tx) => {
        await this.events.resume(tx, this.quota);
        const { events, hasPostponed } = await this.events.take(tx, BATCH, this.quota);
        await this.accept(tx, events);
        return events.length > 0 || hasPostponed;
      });
    } catch (error) {
      if (isTransient(error)) throw error;
      this.oneByOneFor = BATCH;
      return true;
    }
  }

  private async relayOne(): Promise<boolean> {
    const locked: { id: string | null } = { id: null };
    try {
      await this.database.transaction(async (tx) => {
        locked.id = await this.events.lockOldest(tx);
        if (locked.id !== null) await this.accept(tx, await this.events.takeLocked(tx, locked.id));
      });
      // No event is left to blame, and only a batch resumes events that wait for their tenant's quota.
      this.oneByOneFor = locked.id === null ? 0 : Math.max(0, this.oneByOneFor - 1);
    } catch (error) {
      if (locked.id === null || isTransient(error)) throw error;
      await this.setAside(locked.id, error);
    }
    return locked.id !== null;
  }

  /** What triggered the run of an event. */
  protected abstract triggerOf(event: Event): RunTrigger;

  private async accept(tx: Tx, events: readonly Event[]): Promise<void> {
    const refused = await this.enqueuer.acceptAll(
      tx,
      events.map((event) => ({
        id: newRunId(),
        tenantId: event.tenantId,
        jobId: event.jobId,
        trigger: this.triggerOf(event),
        payload: event.payload,
        priority: null,
        delayMs: 0,
        runAt: null,
        scheduledFor: null,
        retryOf: null,
        traceParent: null,
      })),
    );
    // Rare: other runs used up the quota meanwhile, or the payloads are longer than estimated.
    if (refused.length > 0) throw new QuotaReachedError();
  }

  /**
   * Sets aside exactly this event. The oldest free event may by now be a different one, with which nothing is wrong.
   */
  private async setAside(id: string, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    if (!(await this.events.setAside(this.database.autoCommit, id, reason))) return;
    if (error instanceof QuotaReachedError) return;
    this.logger.error(
      error,
      `${this.name}: ${id} cannot become a run; it stays in its table with the reason`,
    );
  }
}

/** The tenant has reached a quota of waiting runs. The event waits until some of them have started. */
class QuotaReachedError extends Error {
  constructor() {
    super(WAITS_FOR_QUOTA);
  }
}
