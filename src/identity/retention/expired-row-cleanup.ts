import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { RepeatedTask } from '../../platform/lifecycle/index.js';
import type { BackgroundService } from '../../platform/lifecycle/index.js';
import { ExpiredRowRepository } from './expired-row.repository.js';

const PRUNE_EVERY_MS = 300_000;
/** Rows that one statement removes: few enough that it holds their locks for milliseconds. */
const BATCH = 1000;
/** Batches of one table in one round; what is left then waits for the next round, on this or another instance. */
const BATCHES_PER_ROUND = 200;

/** Removes what nothing refers to any more, on instances that do background work; any number of them at once. */
@Injectable()
export class ExpiredRowCleanup implements BackgroundService {
  readonly name = 'identity pruning';
  private readonly task: RepeatedTask;
  private isStopping = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly remains: ExpiredRowRepository,
    registry: SchedulerRegistry,
  ) {
    this.task = new RepeatedTask(registry, this.name, PRUNE_EVERY_MS, () => this.prune());
  }

  async start(): Promise<void> {
    this.task.start();
    await Promise.resolve();
  }

  async drain(): Promise<void> {
    this.isStopping = true;
    await Promise.resolve();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.task.stop();
  }

  private async prune(): Promise<void> {
    const { remains } = this;
    const { refreshTtlSecs } = this.config.identity;
    const handle = this.database.autoCommit;
    await this.inBatches(() => remains.deleteRefreshTokens(handle, refreshTtlSecs, BATCH));
    // After the tokens, for it is they that keep a session.
    await this.inBatches(() => remains.deleteSessions(handle, refreshTtlSecs, BATCH));
    await this.inBatches(() => remains.deleteOneTimeTokens(handle, BATCH));
    const { mailIntervalSecs } = this.config.limits;
    await this.inBatches(() => remains.deleteMailCooldowns(handle, mailIntervalSecs, BATCH));
    await this.inBatches(() => remains.deleteMailCounts(handle, BATCH));
  }

  private async inBatches(deleteBatch: () => Promise<number>): Promise<void> {
    for (let batch = 0; batch < BATCHES_PER_ROUND && !this.isStopping; batch += 1) {
      if ((await deleteBatch()) < BATCH) return;
    }
  }
}
