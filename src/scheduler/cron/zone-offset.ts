import { LRUCache } from 'lru-cache';

const HOUR_MS = 3_600_000;

/** More than the largest offset from UTC that any zone ever had: 15 h 13 min (Alaska before 1867). */
export const MAX_OFFSET_MS = 16 * HOUR_MS;

/** Less than the shortest time for which any zone kept one offset. */
const PROBE_MS = 6 * HOUR_MS;

/** A formatter takes about 25 KiB, and there are about 420 zones. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

/** `GMT`, `GMT+05:30`, or, for local mean time before time zones, `GMT-00:44:30`. */
const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** The names of the tz database that have no region: of its files `backward`, `etcetera` and those of the continents. */
const NAMES_WITHOUT_REGION: ReadonlySet<string> = new Set(
  `CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel
   Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey
   UCT UTC Universal W-SU WET Zulu`
    .toLowerCase()
    .split(/\s+/),
);

/** Its regions, and the countries of its older names. */
const REGION =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)\//i;

/**
 * Whether this is the name of a zone or link of the tz database (https://www.iana.org/time-zones) that this machine
 * knows, in upper or lower case. A plain offset such as `+02:00` is none, and neither are abbreviations such as `IST`:
 * ICU takes them, each for one of the zones that have it.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  if (!NAMES_WITHOUT_REGION.has(name.toLowerCase()) && !REGION.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

/** How far local time is ahead of UTC at this instant, in milliseconds. @throws RangeError for an unknown zone */
export function offsetAt(zone: string, instant: number): number {
  const found = OFFSET.exec(formatterOf(zone).format(instant));
  if (found === null) throw new Error(`the offset of ${zone} cannot be read`);
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = found;
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -size : size;
}

/** The local time at an instant, with its offset: `2026-03-29T03:00:00+02:00`. */
export function localTimeAt(zone: string, instant: Date): string {
  const offset = offsetAt(zone, instant.getTime());
  const local = new Date(instant.getTime() + offset).toISOString().slice(0, 19);
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${local}${offset < 0 ? '-' : '+'}${hour}:${minute}`;
}

/**
 * The first instant in (`after`, `until`] at which the offset differs from the one at `after`; null if there is none.
 */
export function firstOffsetChange(zone: string, after: number, until: number): number | null {
  const offset = offsetAt(zone, after);
  let unchanged = after;
  while (unchanged < until) {
    const probe = Math.min(unchanged + PROBE_MS, until);
    if (offsetAt(zone, probe) !== offset) return changeBetween(zone, unchanged, probe);
    unchanged = probe;
  }
  return null;
}

/** Bisects to the millisecond at which the offset changes. */
function changeBetween(zone: string, before: number, after: number): number {
  const offset = offsetAt(zone, before);
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle) === offset) low = middle;
    else high = middle;
  }
  return high;
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  const key = zone.toLowerCase();
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formatters.set(key, made);
  return made;
}
