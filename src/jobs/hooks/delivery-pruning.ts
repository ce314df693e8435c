import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Database } from '../../platform/database/index.js';
import { RepeatedTask } from '../../platform/lifecycle/index.js';
import type { BackgroundService } from '../../platform/lifecycle/index.js';
import { pruneDeliveries } from './delivery.repository.js';

const INTERVAL_MS = 600_000;
const BATCH = 1000;

/** Forgets old deliveries, a batch at a time. */
@Injectable()
export class DeliveryPruning implements BackgroundService {
  readonly name = 'delivery pruning';
  private readonly task: RepeatedTask;
  private stopped = false;

  constructor(
    private readonly database: Database,
    registry: SchedulerRegistry,
  ) {
    this.task = new RepeatedTask(registry, this.name, INTERVAL_MS, () => this.prune());
  }

  async start(): Promise<void> {
    this.task.start();
    await Promise.resolve();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.task.stop();
  }

  private async prune(): Promise<void> {
    let pruned = BATCH;
    while (pruned === BATCH && !this.stopped) pruned = await pruneDeliveries(this.database.autoCommit, BATCH);
  }
}
