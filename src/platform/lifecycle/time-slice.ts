import { setImmediate as nextTurn } from 'node:timers/promises';

/** Well under what others may be kept waiting, milliseconds. */
const SLICE_MS = 10;

/** Time on the event loop for work that may be long: whoever does it asks between its steps whether others are due. */
export class TimeSlice {
  private begunAt = performance.now();

  /** Lets others have their turn where the slice is spent, and begins another one. */
  async share(): Promise<void> {
    if (performance.now() - this.begunAt < SLICE_MS) return;
    await nextTurn();
    this.begunAt = performance.now();
  }
}
