import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Database } from '../../platform/database/index.js';
import { PeriodicService } from '../../platform/lifecycle/index.js';
import { pruneDeliveries } from './delivery.repository.js';

const INTERVAL_MS = 600_000;
const BATCH = 1000;

/** Deletes expired deliveries, batch by batch. */
@Injectable()
export class DeliveryPruning extends PeriodicService {
  constructor(
    private readonly database: Database,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'delivery pruning', INTERVAL_MS);
  }

  async runOnce(): Promise<void> {
    await this.deleteInBatches(() => pruneDeliveries(this.database.autoCommit, BATCH), { batchSize: BATCH });
  }
}
