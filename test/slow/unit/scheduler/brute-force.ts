import type { Stretch } from './wall-clock.js';

const MINUTE_MS = 60_000;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** The values of a field, each one tried against each item of it. */
function valuesOf(field: string, min: number, max: number, names: readonly string[] = []): Set<number> {
  const numberOf = (text: string): number => {
    const named = names.indexOf(text.toLowerCase());
    return named < 0 ? Number(text) : named + min;
  };
  const values = new Set<number>();
  for (const item of field.split(',')) {
    const [range = '', step = '1'] = item.split('/');
    const [first = '', last = first] = range.split('-');
    const low = range === '*' ? min : numberOf(first);
    const high = range === '*' ? max : numberOf(last);
    for (let value = low; value <= high; value += Number(step)) values.add(value);
  }
  return values;
}

/** Whether a wall-clock minute matches, by the text of crontab(5) and contract section 7. */
function matcherOf(expression: string): (wallTime: number) => boolean {
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = ''] = expression.split(' ');
  const minutes = valuesOf(minute, 0, 59);
  const hours = valuesOf(hour, 0, 23);
  const daysOfMonth = valuesOf(dayOfMonth, 1, 31);
  const months = valuesOf(month, 1, 12, MONTHS);
  const daysOfWeek = new Set([...valuesOf(dayOfWeek, 0, 6, DAYS)].map((day) => day % 7));
  return (wallTime) => {
    // Without a Date, which takes longer, for most minutes.
    if (!minutes.has(Math.floor(wallTime / MINUTE_MS) % 60)) return false;
    const time = new Date(wallTime);
    if (!hours.has(time.getUTCHours())) return false;
    if (!months.has(time.getUTCMonth() + 1)) return false;
    const onDayOfMonth = daysOfMonth.has(time.getUTCDate());
    const onDayOfWeek = daysOfWeek.has(time.getUTCDay());
    return dayOfMonth === '*' || dayOfWeek === '*'
      ? onDayOfMonth && onDayOfWeek
      : onDayOfMonth || onDayOfWeek;
  };
}

/**
 * The instants of an expression in a stretch, minute by minute. Fixed times are asked of each wall-clock minute
 * that the clock reached or leapt over for the first time; the first minute of the stretch is not asked.
 */
export function bruteForceInstants(expression: string, stretch: Stretch): number[] {
  const matches = matcherOf(expression);
  const [minute = '', hour = ''] = expression.split(' ');
  const followsRealTime = minute.startsWith('*') || hour.startsWith('*');
  const instants: number[] = [];
  let latest = stretch.wallTimes[0] ?? 0;
  stretch.wallTimes.forEach((wallTime, index) => {
    if (index === 0) return;
    const instant = stretch.start + index * MINUTE_MS;
    if (followsRealTime) {
      if (matches(wallTime)) instants.push(instant);
      return;
    }
    let isReached = false;
    for (; latest < wallTime; latest += MINUTE_MS) isReached ||= matches(latest + MINUTE_MS);
    if (isReached) instants.push(instant);
  });
  return instants;
}
