import { Injectable, Logger } from '@nestjs/common';

/**
 * Work of an instance beside its requests. All background services start and stop by this contract.
 *
 * `drain` stops taking new work and finishes running work within the given time (milliseconds); `stop` releases every
 * resource and must not throw.
 */
export interface BackgroundService {
  readonly name: string;
  /** Whether the instance needs it to answer requests. The others start after the port is open. */
  readonly isNeededToServe?: boolean;
  start(): Promise<void>;
  drain?(limitMs: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts background services in two steps, first those that requests need, in the order of their registration. Drains
 * them concurrently and stops them in reverse order.
 */
@Injectable()
export class BackgroundServices {
  private readonly logger = new Logger(BackgroundServices.name);
  private readonly registered: BackgroundService[] = [];
  private started: BackgroundService[] = [];

  register(service: BackgroundService): void {
    this.registered.push(service);
  }

  /** Starts, before the program listens, what it needs to answer requests. */
  async startServing(): Promise<void> {
    await this.startWhere((service) => service.isNeededToServe === true);
  }

  /** Starts, once the program listens, what takes work. A program that cannot be reached must not take work. */
  async startWorking(): Promise<void> {
    await this.startWhere((service) => service.isNeededToServe !== true);
  }

  private async startWhere(matches: (service: BackgroundService) => boolean): Promise<void> {
    for (const service of this.registered.filter(matches)) {
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

  /** Keeps the failure of one background service from keeping the others from draining or stopping. */
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
