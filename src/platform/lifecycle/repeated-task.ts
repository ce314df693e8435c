import { Logger } from '@nestjs/common';
import type { SchedulerRegistry } from '@nestjs/schedule';

/**
 * Runs a task every `intervalMs`, never beside itself: a beat that comes while the last one still works is
 * left out. A failed beat is logged and the next one tries again. `stop` waits for the beat in progress.
 */
export class RepeatedTask {
  private readonly logger = new Logger('RepeatedTask');
  private beat: Promise<void> | null = null;

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
    await this.beat;
  }

  private async runNow(): Promise<void> {
    if (this.beat !== null) return;
    this.beat = this.task().catch((error: unknown) => {
      this.logger.warn(error, `${this.name} failed and will be tried again`);
    });
    await this.beat;
    this.beat = null;
  }
}
