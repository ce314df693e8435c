import { Injectable } from '@nestjs/common';
import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';

/** The process's clock, for tokens and lifetimes. Anything that instances must agree on uses the database's clock. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}

/** Milliseconds; well below the delay that is acceptable for other work on the event loop. */
const SLICE_MS = 10;

/** Splits long synchronous work into slices: call `yieldIfSpent` between its steps. */
export class TimeSlice {
  private begunAt = performance.now();

  /** Yields to the event loop if the slice is used up, and starts a new slice. */
  async yieldIfSpent(): Promise<void> {
    if (performance.now() - this.begunAt < SLICE_MS) return;
    await nextEventLoopTurn();
    this.begunAt = performance.now();
  }
}
