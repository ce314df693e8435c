import { Logger } from '@nestjs/common';
import type { SchedulerRegistry } from '@nestjs/schedule';

/**
 * Runs a task every `intervalMs`, never concurrently with itself: an interval that elapses while the task is still
 * running is skipped. A failure is logged, and the task runs again at the next interval. `stop` waits for a run in
 * progress.
 */
export class RepeatedTask {
  private readonly logger = new Logger('RepeatedTask');
  private running: Promise<void> | null = null;

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

  async stop(): Promise<void> {
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
