// eslint-disable-next-line no-restricted-syntax -- the one place that waits, between two looks
import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 25;

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
