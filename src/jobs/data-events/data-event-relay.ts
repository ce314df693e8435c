import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database, isTransient } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { RunEnqueuer } from '../runs/enqueue/run-enqueuer.js';
import { DataEventRepository, WAITS_FOR_QUOTA } from './data-event.repository.js';
import type { DataEvent, WaitingQuota } from './data-event.repository.js';
import { newRunId } from '../runs/model/run-id.js';

const BATCH = 500;

/**
 * Creates runs for captured row changes. The transaction that accepts a run deletes its event from the outbox. The
 * scheduler's tick does this work, on any number of instances.
 */
@Injectable()
export class DataEventRelay {
  readonly name = 'data events';
  readonly isDue: string;
  private readonly logger = new Logger(DataEventRelay.name);
  /**
   * How many events to process one at a time after a batch failed, until the event that caused the failure is set
   * aside.
   */
  private oneByOneFor = 0;
  private readonly quota: WaitingQuota;

  constructor(
    private readonly database: Database,
    private readonly events: DataEventRepository,
    private readonly enqueuer: RunEnqueuer,
    @Inject(CONFIG) { limits }: Config,
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
    const held: { id: string | null } = { id: null };
    try {
      await this.database.transaction(async (tx) => {
        held.id = await this.events.hold(tx);
        if (held.id !== null) await this.accept(tx, await this.events.takeHeld(tx, held.id));
      });
      // No event is left to blame, and only a batch resumes events that wait for their tenant's quota.
      this.oneByOneFor = held.id === null ? 0 : Math.max(0, this.oneByOneFor - 1);
    } catch (error) {
      if (held.id === null || isTransient(error)) throw error;
      await this.setAside(held.id, error);
    }
    return held.id !== null;
  }

  private async accept(tx: Tx, events: readonly DataEvent[]): Promise<void> {
    const refused = await this.enqueuer.acceptAll(
      tx,
      events.map(({ tenantId, jobId, table, event, payload }) => ({
        id: newRunId(),
        tenantId,
        jobId,
        trigger: { type: 'data', table, event },
        payload,
        delayMs: 0,
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
    this.logger.error(error, `data event ${id} cannot become a run; it stays in data_events with the reason`);
  }
}

/** The tenant has reached a quota of waiting runs. The event waits until some of them have started. */
class QuotaReachedError extends Error {
  constructor() {
    super(WAITS_FOR_QUOTA);
  }
}
