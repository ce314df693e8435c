import { Inject, Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database } from '../../../platform/database/index.js';
import { PeriodicService } from '../../../platform/lifecycle/index.js';
import { RETENTION_BATCH, RetentionRepository } from './retention.repository.js';
import type { DeletedPart, EndedAt, StepAt } from './retention.repository.js';

const BATCHES = { batchSize: RETENTION_BATCH };

/** Deletes runs past their retention, at startup and then every hour. */
@Injectable()
export class Retention extends PeriodicService {
  private readonly logger = new Logger(Retention.name);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly retention: RetentionRepository,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'retention', config.timing.runs.retentionMs);
  }

  /** Deletes everything that is due, batch by batch. */
  async runOnce(): Promise<void> {
    const handle = this.database.autoCommit;
    const { retentionDays } = this.config.jobs;
    const { idempotencyKeyHours } = this.config.timing.lives;
    const runs = await this.deleteInParts<EndedAt>((after) =>
      this.retention.deleteEnded(handle, retentionDays, after),
    );
    const ofJobs = await this.deleteInBatches(() => this.retention.deleteOfJobs(handle, new Date()), BATCHES);
    const abandoned = await this.deleteInBatches(
      () => this.retention.deleteOfRemovedTenants(handle),
      BATCHES,
    );
    await this.deleteInParts<string>((after) => this.retention.deleteChanges(handle, retentionDays, after));
    await this.deleteInBatches(() => this.retention.deleteStats(handle, this.config.timing.lives), BATCHES);
    await this.deleteInBatches(() => this.retention.deleteQueues(handle), BATCHES);
    await this.deleteInBatches(
      () => this.retention.deleteIdempotencyKeys(handle, idempotencyKeyHours),
      BATCHES,
    );
    await this.deleteInBatches(() => this.retention.deleteStarts(handle), BATCHES);
    await this.deleteInBatches(() => this.retention.deleteWorkers(handle), BATCHES);
    // Last: it walks all steps that are kept.
    await this.deleteInParts<StepAt>((after) => this.retention.deleteSteps(handle, after));
    const deleted = runs + ofJobs + abandoned;
    if (deleted > 0) this.logger.log(`deleted ${deleted} ended runs that were past their retention`);
  }

  /** Part by part: a part may consist of what is kept for longer. */
  private async deleteInParts<End>(
    deletePart: (after: End | null) => Promise<DeletedPart<End>>,
  ): Promise<number> {
    let deleted = 0;
    let end: End | null = null;
    do {
      const part: DeletedPart<End> = await deletePart(end);
      deleted += part.deleted;
      end = part.end;
    } while (end !== null && !this.isStopping);
    return deleted;
  }
}
