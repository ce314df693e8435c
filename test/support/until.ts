import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 25;

/**
 * The bound of tests for what the contract promises within a second. It is four seconds, so that no test depends on how
 * busy the machine is, and still less than the same takes without the mechanism under test: a cache entry lives 30 s,
 * access is checked again every 5 s. `TEST_QUIET=1` asserts the second itself; the machine has to be idle for that.
 */
export const PROMPTLY_MS = process.env.TEST_QUIET === undefined ? 4000 : 1000;

/** Waits until the condition holds. Fails after `limitMs` with what `explain` says. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  limitMs = 60_000,
  explain: () => string = () => '',
): Promise<void> {
  const giveUpAt = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > giveUpAt) throw new Error(`not so within ${limitMs} ms. ${explain()}`);
    await wait(POLL_MS);
  }
}
