import { setTimeout as wait } from 'node:timers/promises';
import type { RunRecords } from './run-records.js';

const LOOK_MS = 250;
/** What a deployment ends in a few seconds. */
const LONG = 100;

/**
 * How many runs wait or are in work. Where they pile up, the load rests: whether things outlive faults is asked here,
 * not how much a machine can do beside them.
 */
export class Backlog {
  private length = 0;
  private isOver = false;
  private loop: Promise<void> = Promise.resolve();

  private constructor(private readonly records: RunRecords) {}

  static watch(records: RunRecords): Backlog {
    const backlog = new Backlog(records);
    backlog.loop = backlog.run();
    // It is awaited at the end; a failure before that is not to go unhandled.
    backlog.loop.catch(() => undefined);
    return backlog;
  }

  get isLong(): boolean {
    return this.length > LONG;
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.loop;
  }

  private async run(): Promise<void> {
    while (!this.isOver) {
      this.length = await this.records.unfinished();
      await wait(LOOK_MS);
    }
  }
}
