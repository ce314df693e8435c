import { Injectable, Logger } from '@nestjs/common';
import type { Duty } from './duty.js';

/** Starts duties in the order they were enrolled, drains them together, stops them in the reverse order. */
@Injectable()
export class DutyRoster {
  private readonly logger = new Logger(DutyRoster.name);
  private readonly enrolled: Duty[] = [];
  private started: Duty[] = [];

  enrol(duty: Duty): void {
    this.enrolled.push(duty);
  }

  async start(): Promise<void> {
    for (const duty of this.enrolled) {
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
