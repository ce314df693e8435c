import { Injectable, Logger } from '@nestjs/common';
import type { Duty } from './duty.js';

/**
 * Starts duties in two steps, those that serving needs first, each in the order they were enrolled; drains them
 * together, stops them in the reverse order.
 */
@Injectable()
export class DutyRoster {
  private readonly logger = new Logger(DutyRoster.name);
  private readonly enrolled: Duty[] = [];
  private started: Duty[] = [];

  enrol(duty: Duty): void {
    this.enrolled.push(duty);
  }

  /** Before the program listens: what it needs to answer requests. */
  async startServing(): Promise<void> {
    await this.startThose((duty) => duty.isNeededToServe === true);
  }

  /** Once it listens: what takes work, which a program that cannot be reached must not have. */
  async startWorking(): Promise<void> {
    await this.startThose((duty) => duty.isNeededToServe !== true);
  }

  private async startThose(areMeant: (duty: Duty) => boolean): Promise<void> {
    for (const duty of this.enrolled.filter(areMeant)) {
      await duty.start();
      this.started.push(duty);
    }
  }

  async drain(limitMs: number): Promise<void> {
    await Promise.all(this.started.map((duty) => this.guarded(duty, 'drain', () => duty.drain?.(limitMs))));
  }

  async stop(): Promise<void> {
    const running = this.started.reverse();
    this.started = [];
    for (const duty of running) await this.guarded(duty, 'stop', () => duty.stop());
  }

  /** One duty that fails to end must not keep the others from ending. */
  private async guarded(duty: Duty, step: string, action: () => Promise<void> | undefined): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.logger.error(error, `${duty.name} failed to ${step}`);
    }
  }
}
