import { LRUCache } from 'lru-cache';

import type { CallLabel } from './runner-protocol.js';

/** Calls that have ended and that nobody has asked for; the ends of those that nobody asks for are forgotten. */
const REMEMBERED = 10_000;

/**
 * Which calls are over in their process too. An answer comes by HTTP and lines by another way: whoever has the
 * answer waits here for the last line.
 */
export class EndedCalls {
  readonly #ended = new LRUCache<string, true>({ max: REMEMBERED });
  readonly #waiting = new Map<string, () => void>();

  add(label: CallLabel): void {
    const key = keyOf(label);
    const wake = this.#waiting.get(key);
    if (wake) wake();
    else this.#ended.set(key, true);
  }

  /** Resolves when the call has ended, and after so long in any case. */
  async wait(label: CallLabel, withinMs: number): Promise<void> {
    const key = keyOf(label);
    if (this.#ended.delete(key)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.#waiting.set(key, () => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.#waiting.delete(key);
  }
}

function keyOf({ runId, attempt }: CallLabel): string {
  return `${runId ?? ''} ${attempt ?? ''}`;
}
