import type { Behaviour } from '../../support/handler-server.js';

/** How many calls to a handler are unanswered, and for how long how many were. */
export class OpenCalls {
  private count = 0;
  /** From each instant on (milliseconds since the epoch), so many. */
  private readonly changes: { readonly at: number; readonly count: number }[] = [];

  /** The most at one time. */
  get most(): number {
    return Math.max(0, ...this.changes.map(({ count }) => count));
  }

  watch(behaviour: Behaviour): Behaviour {
    return (response, nth, call) => {
      this.change(1);
      response.on('close', () => {
        this.change(-1);
      });
      behaviour(response, nth, call);
    };
  }

  /** The part of the time between two instants in which exactly so many were open. */
  shareAt(wanted: number, from: number, to: number): number {
    let time = 0;
    this.changes.forEach(({ at, count }, index) => {
      const until = this.changes[index + 1]?.at ?? to;
      if (count === wanted) time += Math.max(Math.min(until, to) - Math.max(at, from), 0);
    });
    return time / (to - from);
  }

  private change(by: number): void {
    this.count += by;
    this.changes.push({ at: performance.timeOrigin + performance.now(), count: this.count });
  }
}
