import { Logger } from '@nestjs/common';
import type { SchedulerRegistry } from '@nestjs/schedule';
import type { BackgroundService } from './background-services.js';

/**
 * Runs a task every `intervalMs`, never concurrently with itself: an interval that elapses while the task is still
 * running is skipped. A failure is logged, and the task runs again at the next interval. `stop` waits for a run in
 * progress.
 */
export class RepeatedTask {
  private readonly logger = new Logger('RepeatedTask');
  private running: Promise<void> | null = null;
  private extra: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly registry: SchedulerRegistry,
    private readonly name: string,
    private readonly intervalMs: number,
    private readonly task: () => Promise<void>,
  ) {}

  start(): void {
    this.registry.addInterval(
      this.name,
      setInterval(() => void this.runNow(), this.intervalMs),
    );
    void this.runNow();
  }

  /** Runs the task once more after `delayMs`, besides its interval. Replaces an earlier call that is still waiting. */
  runIn(delayMs: number): void {
    clearTimeout(this.extra);
    if (!this.isStopped) this.extra = setTimeout(() => void this.runNow(), delayMs);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.extra);
    if (this.registry.doesExist('interval', this.name)) this.registry.deleteInterval(this.name);
    await this.running;
  }

  private async runNow(): Promise<void> {
    if (this.running !== null) return;
    this.running = this.task().catch((error: unknown) => {
      this.logger.warn(error, `${this.name} failed and will be retried`);
    });
    await this.running;
    this.running = null;
  }
}

/**
 * A background service that consists of one repeated task: `runOnce` at the start and then every `intervalMs`. From the
 * beginning of a drain, `isStopping` tells a run that takes long to end after its current batch.
 */
export abstract class PeriodicService implements BackgroundService {
  protected isStopping = false;
  private readonly task: RepeatedTask;

  protected constructor(
    registry: SchedulerRegistry,
    readonly name: string,
    intervalMs: number,
  ) {
    this.task = new RepeatedTask(registry, name, intervalMs, () => this.runOnce());
  }

  abstract runOnce(): Promise<void>;

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

  /**
   * Deletes batch by batch, each in a statement of its own, until a batch is not full, the service stops or
   * `maxBatches` are done. Returns how many rows it deleted.
   */
  protected async deleteInBatches(
    deleteBatch: () => Promise<number>,
    { batchSize, maxBatches = Infinity }: { batchSize: number; maxBatches?: number },
  ): Promise<number> {
    let total = 0;
    for (let batch = 0; batch < maxBatches && !this.isStopping; batch += 1) {
      const deleted = await deleteBatch();
      total += deleted;
      if (deleted < batchSize) break;
    }
    return total;
  }
}
