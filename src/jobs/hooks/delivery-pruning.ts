import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { PeriodicService } from '../../platform/lifecycle/index.js';
import { pruneDeliveries } from './delivery.repository.js';

const BATCH = 1000;

/** Deletes expired deliveries, batch by batch. */
@Injectable()
export class DeliveryPruning extends PeriodicService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'delivery pruning', config.timing.hooks.pruneMs);
  }

  async runOnce(): Promise<void> {
    await this.deleteInBatches(
      () => pruneDeliveries(this.database.autoCommit, this.config.timing.lives.hookDeliveryHours, BATCH),
      { batchSize: BATCH },
    );
  }
}
