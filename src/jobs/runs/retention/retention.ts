import { Inject, Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database } from '../../../platform/database/index.js';
import { RepeatedTask } from '../../../platform/lifecycle/index.js';
import type { BackgroundService } from '../../../platform/lifecycle/index.js';
import { RETENTION_BATCH, RetentionRepository } from './retention.repository.js';
import { REMEMBERED_HOURS } from '../enqueue/idempotency-key.repository.js';

const HOUR_MS = 3_600_000;

/** Deletes runs past their retention, at startup and then every hour. */
@Injectable()
export class Retention implements BackgroundService {
  readonly name = 'retention';
  private readonly logger = new Logger(Retention.name);
  private readonly task: RepeatedTask;
  private isStopping = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly retention: RetentionRepository,
    registry: SchedulerRegistry,
  ) {
    this.task = new RepeatedTask(registry, 'retention', HOUR_MS, () => this.pass());
  }

  async start(): Promise<void> {
    this.task.start();
    await Promise.resolve();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.task.stop();
  }

  /** Deletes everything that is due, batch by batch. */
  async pass(): Promise<void> {
    const handle = this.database.autoCommit;
    const { retentionDays } = this.config.jobs;
    const runs = await this.inBatches(() => this.retention.deleteEnded(handle, retentionDays));
    const abandoned = await this.inBatches(() => this.retention.deleteOfRemovedTenants(handle));
    await this.inBatches(() => this.retention.deleteSlotCounts(handle));
    await this.inBatches(() => this.retention.deleteIdempotencyKeys(handle, REMEMBERED_HOURS));
    await this.inBatches(() => this.retention.deleteWorkers(handle));
    if (runs + abandoned > 0)
      this.logger.log(`deleted ${runs + abandoned} ended runs that were past their retention`);
  }

  private async inBatches(deleteBatch: () => Promise<number>): Promise<number> {
    let total = 0;
    while (!this.isStopping) {
      const deleted = await deleteBatch();
      total += deleted;
      if (deleted < RETENTION_BATCH) break;
    }
    return total;
  }
}
