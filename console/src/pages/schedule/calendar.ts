/** When a schedule fires, in UTC and in the time of its zone. */
interface CalendarEntry {
  readonly at: string;
  readonly local_time: string;
  readonly job_id: string;
  readonly trigger: number;
  readonly schedule: string;
  readonly timezone: string;
  readonly paused: boolean;
  readonly more: boolean;
}

/** What one schedule does on one day. */
export interface DayEntry {
  readonly key: string;
  /** The first of that day. */
  readonly first: CalendarEntry;
  readonly last: CalendarEntry;
  readonly count: number;
  /** Offsets before and after a clock change of the schedule's zone since it fired last; null without one. */
  readonly clockChange: { readonly from: string; readonly to: string } | null;
}

export interface Day {
  /** Midnight in the browser's time zone. */
  readonly at: Date;
  readonly entries: readonly DayEntry[];
}

/** Of `2026-03-29T03:00:00+02:00`, the offset. */
export function offsetOf(localTime: string): string {
  return /(?:Z|[+-]\d\d:\d\d)$/.exec(localTime)?.[0] ?? '';
}

/** Instants in order of time, by day, and within a day by schedule. */
export function daysOf(entries: readonly CalendarEntry[]): Day[] {
  const days = new Map<number, Map<string, DayEntry>>();
  const offsets = new Map<string, string>();
  for (const entry of entries) {
    const day = new Date(entry.at).setHours(0, 0, 0, 0);
    const key = `${entry.job_id} ${entry.trigger}`;
    const ofDay = days.get(day) ?? new Map<string, DayEntry>();
    days.set(day, ofDay);
    const [from, to] = [offsets.get(key), offsetOf(entry.local_time)];
    offsets.set(key, to);
    const change = from === undefined || from === to ? null : { from, to };
    const known = ofDay.get(key);
    ofDay.set(
      key,
      known === undefined
        ? { key, first: entry, last: entry, count: 1, clockChange: change }
        : { ...known, last: entry, count: known.count + 1, clockChange: known.clockChange ?? change },
    );
  }
  return [...days].map(([at, ofDay]) => ({ at: new Date(at), entries: [...ofDay.values()] }));
}
