import { Injectable, Logger } from '@nestjs/common';
import { newRunId } from '../../platform/crypto/index.js';
import { Database, isDatabaseUnavailable } from '../../platform/database/index.js';
import { RunIntake } from '../runs/run-intake.js';
import { DataEventRepository } from './data-event.repository.js';

const BATCH = 500;

/**
 * Makes runs of captured changes: each is deleted from the outbox in the transaction that accepts its run. The
 * scheduler's tick looks for this work, on any number of instances.
 */
@Injectable()
export class DataEventRelay {
  readonly name = 'data events';
  /** Not EXISTS: after a large change that would read the rows deleted since, where the index leads past them. */
  readonly isDue = '(SELECT min(id) IS NOT NULL FROM data_events WHERE refusal IS NULL)';
  private readonly logger = new Logger(DataEventRelay.name);
  /** After a batch that could not be taken: one by one, until the one that is the cause is set aside. */
  private carefulFor = 0;

  constructor(
    private readonly database: Database,
    private readonly events: DataEventRepository,
    private readonly intake: RunIntake,
  ) {}

  /** @returns whether there may be more */
  async doSome(): Promise<boolean> {
    const limit = this.carefulFor > 0 ? 1 : BATCH;
    try {
      const isMore = (await this.relay(limit)) > 0;
      this.carefulFor = Math.max(0, this.carefulFor - 1);
      return isMore;
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      if (limit === 1) await this.setAside(error);
      else this.carefulFor = BATCH;
      return true;
    }
  }

  private async relay(limit: number): Promise<number> {
    return await this.database.transaction(async (tx) => {
      const events = await this.events.take(tx, limit);
      await this.intake.accept(
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
      return events.length;
    });
  }

  private async setAside(error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    const ids = await this.database.transaction((tx) => this.events.setAside(tx, 1, reason));
    this.logger.error(
      error,
      `data event ${ids.join(', ')} cannot become a run and is kept in data_events, with the reason`,
    );
  }
}
