import { Injectable, Logger } from '@nestjs/common';
import type { BackgroundService } from './background-service.js';

/**
 * Starts background services in two steps, those that serving needs first, each in the order they were registered; drains them
 * together, stops them in the reverse order.
 */
@Injectable()
export class BackgroundServices {
  private readonly logger = new Logger(BackgroundServices.name);
  private readonly registered: BackgroundService[] = [];
  private started: BackgroundService[] = [];

  register(service: BackgroundService): void {
    this.registered.push(service);
  }

  /** Before the program listens: what it needs to answer requests. */
  async startServing(): Promise<void> {
    await this.startThose((service) => service.isNeededToServe === true);
  }

  /** Once it listens: what takes work, which a program that cannot be reached must not have. */
  async startWorking(): Promise<void> {
    await this.startThose((service) => service.isNeededToServe !== true);
  }

  private async startThose(areMeant: (service: BackgroundService) => boolean): Promise<void> {
    for (const service of this.registered.filter(areMeant)) {
      await service.start();
      this.started.push(service);
    }
  }

  async drain(limitMs: number): Promise<void> {
    await Promise.all(
      this.started.map((service) => this.guarded(service, 'drain', () => service.drain?.(limitMs))),
    );
  }

  async stop(): Promise<void> {
    const running = this.started.reverse();
    this.started = [];
    for (const service of running) await this.guarded(service, 'stop', () => service.stop());
  }

  /** One background service that fails to end must not keep the others from ending. */
  private async guarded(
    service: BackgroundService,
    step: string,
    action: () => Promise<void> | undefined,
  ): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.logger.error(error, `${service.name} failed to ${step}`);
    }
  }
}
