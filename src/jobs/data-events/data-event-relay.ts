import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { newRunId } from '../../platform/crypto/index.js';
import { Database, isDatabaseUnavailable, isSerializationConflict } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { RunEnqueuer } from '../runs/enqueue/run-enqueuer.js';
import { DataEventRepository, WAITS_FOR_QUOTA } from './data-event.repository.js';
import type { DataEvent, Room } from './data-event.repository.js';

const BATCH = 500;

/**
 * Makes runs of captured changes: each is deleted from the outbox in the transaction that accepts its run. The
 * scheduler's tick looks for this work, on any number of instances.
 */
@Injectable()
export class DataEventRelay {
  readonly name = 'data events';
  readonly isDue: string;
  private readonly logger = new Logger(DataEventRelay.name);
  /** After a batch that could not be taken: one by one, until the one that is the cause is set aside. */
  private carefulFor = 0;
  private readonly room: Room;

  constructor(
    private readonly database: Database,
    private readonly events: DataEventRepository,
    private readonly enqueuer: RunEnqueuer,
    @Inject(CONFIG) { limits }: Config,
  ) {
    this.room = {
      runs: limits.waitingRuns || Number.MAX_SAFE_INTEGER,
      bytes: limits.waitingPayloadBytes || Number.MAX_SAFE_INTEGER,
    };
    this.isDue = events.isDue(this.room);
  }

  /** @returns whether there may be more */
  async doSome(): Promise<boolean> {
    return this.carefulFor > 0 ? await this.relayOne() : await this.relayMany();
  }

  private async relayMany(): Promise<boolean> {
    try {
      return await this.database.transaction(async (tx) => {
        await this.events.resume(tx, this.room);
        const { events, hasPostponed } = await this.events.take(tx, BATCH, this.room);
        await this.accept(tx, events);
        return events.length > 0 || hasPostponed;
      });
    } catch (error) {
      if (isTransient(error)) throw error;
      this.carefulFor = BATCH;
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
      // With none left there is no cause to look for, and only a batch lets those resume that wait for room.
      this.carefulFor = held.id === null ? 0 : Math.max(0, this.carefulFor - 1);
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
    // Rare: others took the room meanwhile, or the payloads are longer than they were taken for.
    if (refused.length > 0) throw new NoRoomError();
  }

  /** That event and no other: the oldest that is free may by now be one that nothing is wrong with. */
  private async setAside(id: string, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    if (!(await this.events.setAside(this.database.autoCommit, id, reason))) return;
    if (error instanceof NoRoomError) return;
    this.logger.error(
      error,
      `data event ${id} cannot become a run and is kept in data_events, with the reason`,
    );
  }
}

/** The tenant has as many waiting runs as it may have; the event waits until some of them have started. */
class NoRoomError extends Error {
  constructor() {
    super(WAITS_FOR_QUOTA);
  }
}

/** What is no fault of an event: taken once more, it may well become a run. */
function isTransient(error: unknown): boolean {
  return isDatabaseUnavailable(error) || isSerializationConflict(error);
}
