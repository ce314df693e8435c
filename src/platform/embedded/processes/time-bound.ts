import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits for the promise, but no longer than the bound; the event loop stays alive meanwhile. Leaves no timer
 * behind, which would keep a program alive that is done. Rejects as the promise does.
 */
export async function atMost(boundMs: number, promise: Promise<unknown>): Promise<void> {
  const bound = new AbortController();
  try {
    await Promise.race([promise, delay(boundMs, undefined, { signal: bound.signal }).catch(() => undefined)]);
  } finally {
    bound.abort();
  }
}
