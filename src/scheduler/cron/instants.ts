import type { CronSchedule } from './schedule.js';
import { firstOffsetChange, MAX_OFFSET_MS, offsetAt } from './zone-offset.js';

const DAY_MS = 86_400_000;

/**
 * The next instants of a schedule in a time zone, strictly increasing and all later than `after`. Returns fewer than
 * `count` only at the end of the calendar.
 *
 * Clock changes follow Debian's cron(8). A schedule that follows real time fires in every real minute whose local
 * time matches. Any other schedule names fixed times, and fires as soon as the local clock first shows such a time or
 * a later one: at the end of the gap if a clock change skips the time, and only the first time if the time occurs
 * twice.
 */
export function nextInstants(schedule: CronSchedule, zone: string, after: Date, count: number): Date[] {
  const next = schedule.followsRealTime ? nextOfRealTime : nextOfFixedTimes;
  const instants: Date[] = [];
  let last = after.getTime();
  while (instants.length < count) {
    const instant = next(schedule, zone, last);
    if (instant === null) break;
    instants.push(new Date(instant));
    last = instant;
  }
  return instants;
}

/**
 * The latest instant after `after` and not after `until`, or null. Takes few steps, however long the time between.
 */
export function latestInstant(schedule: CronSchedule, zone: string, after: Date, until: Date): Date | null {
  const firstAfter = (instant: number): Date | undefined =>
    nextInstants(schedule, zone, new Date(instant), 1)[0];
  let latest: Date | null = null;
  let [low, high] = [after.getTime(), until.getTime()];
  while (low < high) {
    const next = firstAfter(low);
    if (next === undefined || next.getTime() > high) break;
    latest = next;
    low = next.getTime();
    const middle = Math.floor((low + high) / 2);
    const later = firstAfter(middle);
    if (later !== undefined && later.getTime() <= high) {
      latest = later;
      low = later.getTime();
    } else {
      high = middle;
    }
  }
  return latest;
}

function nextOfRealTime(schedule: CronSchedule, zone: string, after: number): number | null {
  let from = after + 1;
  for (;;) {
    const offset = offsetAt(zone, from);
    const wallTime = schedule.firstAfter(from + offset - 1);
    if (wallTime === null) return null;
    const instant = wallTime - offset;
    const horizon = from + 2 * DAY_MS;
    const change = firstOffsetChange(zone, from, Math.min(instant, horizon));
    if (change !== null) {
      from = change;
    } else if (instant <= horizon) {
      return instant;
    } else {
      from = lookAgainFrom(schedule, horizon);
    }
  }
}

/**
 * Where to continue when nothing matches before `horizon`: the earliest instant at which any zone could show a match.
 */
function lookAgainFrom(schedule: CronSchedule, horizon: number): number {
  const wallTime = schedule.firstAfter(horizon - MAX_OFFSET_MS);
  return wallTime === null ? horizon : Math.max(horizon, wallTime - MAX_OFFSET_MS);
}

function nextOfFixedTimes(schedule: CronSchedule, zone: string, after: number): number | null {
  const wallTime = schedule.firstAfter(latestWallTime(zone, after));
  return wallTime === null ? null : whenReached(zone, wallTime);
}

/**
 * The latest local time that the clock has shown up to this instant, which is later than now if the clock was set
 * back.
 */
function latestWallTime(zone: string, instant: number): number {
  let from = instant - 2 * MAX_OFFSET_MS;
  let latest = Number.NEGATIVE_INFINITY;
  for (;;) {
    const offset = offsetAt(zone, from);
    const change = firstOffsetChange(zone, from, instant);
    if (change === null) return Math.max(latest, instant + offset);
    latest = Math.max(latest, change - 1 + offset);
    from = change;
  }
}

/** The first instant at which the local clock shows this time or a later one. */
function whenReached(zone: string, wallTime: number): number {
  let from = wallTime - MAX_OFFSET_MS;
  for (;;) {
    const instant = Math.max(from, wallTime - offsetAt(zone, from));
    const change = firstOffsetChange(zone, from, instant);
    if (change === null) return instant;
    from = change;
  }
}
