import { latestInstant, nextInstants } from './cron/index.js';
import type { CronSchedule } from './cron/index.js';

/** An instant that is later than this is missed (contract section 7), in milliseconds. */
const MISSED_AFTER_MS = 60_000;

export interface CronState {
  readonly schedule: CronSchedule;
  readonly timezone: string;
  readonly misfire: 'once' | 'skip';
  /** No instant up to this one is still to fire. */
  readonly settledUntil: Date;
  /** The first instant after that; no later than it when a pause has ended since. */
  readonly nextFireAt: Date;
}

export interface Settlement {
  /** The instants to run for, oldest first. */
  readonly fires: readonly Date[];
  readonly settledUntil: Date;
  readonly nextFireAt: Date | null;
}

/**
 * What is to be done about the instants up to `now` of a trigger that is due: each has its run, but of those that were missed only
 * the latest, or none where the trigger skips them.
 */
export function settle(state: CronState, now: Date): Settlement {
  const { schedule, timezone, settledUntil, nextFireAt } = state;
  const missedUntil = new Date(now.getTime() - MISSED_AFTER_MS - 1);
  const fires: Date[] = [];
  let settled = laterOf(settledUntil, missedUntil);
  if (nextFireAt > settled) {
    // In time, as nearly always: what is known need not be reckoned again.
    fires.push(nextFireAt);
    settled = nextFireAt;
  } else if (state.misfire === 'once') {
    const missed = latestInstant(schedule, timezone, settledUntil, missedUntil);
    if (missed !== null) fires.push(missed);
  }
  for (;;) {
    const [next = null] = nextInstants(schedule, timezone, settled, 1);
    if (next === null || next > now) return { fires, settledUntil: settled, nextFireAt: next };
    fires.push(next);
    settled = next;
  }
}

function laterOf(one: Date, other: Date): Date {
  return one > other ? one : other;
}
