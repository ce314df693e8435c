const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Shorter than the time between any two changes. */
const STRIDE_MINUTES = 20;
/** Shorter than the shortest time between two changes, that of Morocco's Ramadan. */
const PROBE_MS = 15 * 24 * HOUR_MS;

/** A change of a zone's clock: what it read when, in milliseconds, a wall-clock time being as `Date.UTC` counts it. */
export interface ClockChange {
  readonly zone: string;
  readonly at: number;
  /** What the clock would have read without the change. */
  readonly from: number;
  /** What it reads instead. */
  readonly to: number;
}

/** Minutes of real time with what the clock of a zone reads in each. */
export interface Stretch {
  readonly zone: string;
  readonly start: number;
  readonly end: number;
  /** The wall-clock time at the start of each minute from `start` to `end`, both in. */
  readonly wallTimes: readonly number[];
}

function wallClockOf(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = format
      .format(instant)
      .split(/\D+/)
      .map(Number);
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
}

/** The changes of a zone's clock between two instants, found by looking every fifteen days. */
export function clockChanges(zone: string, start: number, end: number): ClockChange[] {
  const wallClock = wallClockOf(zone);
  const offsetAt = (instant: number): number => wallClock(instant) - instant;
  const changes: ClockChange[] = [];
  let before = start;
  let offset = offsetAt(start);
  for (let instant = start + PROBE_MS; instant <= end; instant += PROBE_MS) {
    const offsetThen = offsetAt(instant);
    if (offsetThen !== offset) {
      let [low, high] = [before, instant];
      while (high - low > MINUTE_MS) {
        const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS;
        if (offsetAt(middle) === offset) low = middle;
        else high = middle;
      }
      changes.push({ zone, at: high, from: high + offset, to: wallClock(high) });
    }
    before = instant;
    offset = offsetThen;
  }
  return changes;
}

export function stretchAround(zone: string, instant: number, beforeMs: number, afterMs: number): Stretch {
  const wallClock = wallClockOf(zone);
  const start = Math.floor((instant - beforeMs) / MINUTE_MS) * MINUTE_MS;
  const end = start + Math.floor((beforeMs + afterMs) / MINUTE_MS) * MINUTE_MS;
  const wallTimes: number[] = [];
  for (let from = start; from <= end; from += STRIDE_MINUTES * MINUTE_MS) {
    const minutes = Array.from({ length: STRIDE_MINUTES }, (_, minute) => from + minute * MINUTE_MS);
    // To ask for each minute takes long. Between two that read alike none reads otherwise.
    const offset = wallClock(from) - from;
    const isSteady =
      wallClock(from + STRIDE_MINUTES * MINUTE_MS) - from === offset + STRIDE_MINUTES * MINUTE_MS;
    wallTimes.push(
      ...minutes.filter((at) => at <= end).map((at) => (isSteady ? at + offset : wallClock(at))),
    );
  }
  return { zone, start, end, wallTimes };
}
