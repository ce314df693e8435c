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
}

export interface Settlement {
  /** The instants to run for, oldest first. */
  readonly fires: readonly Date[];
  readonly settledUntil: Date;
  readonly nextFireAt: Date | null;
}

/**
 * What is to be done about a trigger's instants up to `now`: each has its run, but of those that were missed only
 * the latest, or none where the trigger skips them.
 */
export function settle({ schedule, timezone, misfire, settledUntil }: CronState, now: Date): Settlement {
  const missedUntil = new Date(now.getTime() - MISSED_AFTER_MS - 1);
  const missed = latestInstant(schedule, timezone, settledUntil, missedUntil);
  const fires = missed !== null && misfire === 'once' ? [missed] : [];
  let settled = laterOf(settledUntil, missedUntil);
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
