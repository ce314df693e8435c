import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database, deleteExpired } from '../../platform/database/index.js';
import { PeriodicService } from '../../platform/lifecycle/index.js';

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
    const expired = {
      table: 'hook_deliveries',
      key: 'tenant_id, hook, id_hash',
      when: 'received_at < now() - make_interval(hours => $2)',
      parameter: this.config.timing.lives.hookDeliveryHours,
    };
    await this.deleteInBatches(() => deleteExpired(this.database.autoCommit, expired, BATCH), {
      batchSize: BATCH,
    });
  }
}
