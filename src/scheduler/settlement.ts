import { latestInstant, nextInstants } from './cron/index.js';
import type { CronSchedule } from './cron/index.js';

/** Milliseconds after which an instant counts as missed (contract section 7). */
const MISSED_AFTER_MS = 60_000;

export interface CronState {
  readonly schedule: CronSchedule;
  readonly timezone: string;
  readonly misfire: 'once' | 'skip';
  /** Every instant up to this one has been dealt with. */
  readonly settledUntil: Date;
  /** The first instant after that, or an earlier one if a pause has ended since. */
  readonly nextFireAt: Date;
}

export interface Settlement {
  /** The instants to create runs for, oldest first. */
  readonly fires: readonly Date[];
  readonly settledUntil: Date;
  readonly nextFireAt: Date | null;
}

/**
 * Decides about the instants of a due trigger up to `now`. Each gets a run; of the missed ones, only the latest does,
 * or none if the trigger skips them.
 */
export function settle(state: CronState, now: Date): Settlement {
  const { schedule, timezone, settledUntil, nextFireAt } = state;
  const missedUntil = new Date(now.getTime() - MISSED_AFTER_MS - 1);
  const fires: Date[] = [];
  let settled = laterOf(settledUntil, missedUntil);
  if (nextFireAt > settled) {
    // The usual case: the trigger is on time, so the stored instant need not be computed again.
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
