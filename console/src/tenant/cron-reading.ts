/** When a schedule fires within a day. Minutes are counted from midnight. */
export type CronTime =
  | { readonly kind: 'times'; readonly minutes: readonly number[] }
  | {
      readonly kind: 'minutes';
      readonly every: number;
      readonly from: number | null;
      readonly until: number | null;
    }
  | { readonly kind: 'hours'; readonly every: number; readonly minute: number };

/** On which days: Sunday is 0, January is 1. */
export type CronDays =
  | { readonly kind: 'all' }
  | { readonly kind: 'weekdays'; readonly days: readonly number[] }
  | { readonly kind: 'monthly'; readonly days: readonly number[] }
  | { readonly kind: 'yearly'; readonly days: readonly number[]; readonly month: number };

export interface CronReading {
  readonly time: CronTime;
  readonly days: CronDays;
}

/** More times of a day than that are no sentence any more. */
const MOST_TIMES = 4;
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function numberOf(text: string, names: readonly string[], first: number): number | null {
  if (/^\d+$/.test(text)) return Number(text);
  const index = names.indexOf(text.toLowerCase());
  return index < 0 ? null : index + first;
}

/** The numbers of a field of single values and ranges; null for any other. */
function valuesOf(field: string, names: readonly string[] = [], first = 0): number[] | null {
  const values: number[] = [];
  for (const part of field.split(',')) {
    const [from, to] = part.split('-').map((text) => numberOf(text, names, first));
    if (from == null || to === null) return null;
    for (let value = from; value <= (to ?? from); value += 1) values.push(value);
  }
  return values.length === 0 ? null : [...new Set(values)].sort((left, right) => left - right);
}

/** The step of `*`, with or without one written; null for any other field. */
function stepOf(field: string): number | null {
  if (field === '*') return 1;
  const step = /^\*\/(\d+)$/.exec(field)?.[1];
  return step === undefined ? null : Number(step);
}

function timeOf(minute: string, hour: string): CronTime | null {
  const [minutes, hours] = [valuesOf(minute), valuesOf(hour)];
  const [minuteStep, hourStep] = [stepOf(minute), stepOf(hour)];
  if (minutes?.length === 1 && hourStep !== null && 24 % hourStep === 0)
    return { kind: 'hours', every: hourStep, minute: minutes[0] ?? 0 };
  if (minutes !== null && hours !== null && minutes.length * hours.length <= MOST_TIMES)
    return { kind: 'times', minutes: hours.flatMap((at) => minutes.map((past) => at * 60 + past)) };
  if (minuteStep === null || minuteStep === 0 || 60 % minuteStep !== 0) return null;
  if (hour === '*') return { kind: 'minutes', every: minuteStep, from: null, until: null };
  // One range, such as 8-18: the last time is within its last hour.
  const [first, last] = [hours?.[0], hours?.at(-1)];
  if (hours === null || first === undefined || last === undefined || hours.length !== last - first + 1)
    return null;
  return { kind: 'minutes', every: minuteStep, from: first * 60, until: last * 60 + 60 - minuteStep };
}

function daysOf(day: string, month: string, weekday: string): CronDays | null {
  if (weekday !== '*') {
    // With both, either is enough, which no short sentence says.
    if (day !== '*' || month !== '*') return null;
    const days = valuesOf(weekday, WEEKDAYS);
    return days && { kind: 'weekdays', days: [...new Set(days.map((value) => value % 7))].sort() };
  }
  if (day === '*') return month === '*' ? { kind: 'all' } : null;
  const days = valuesOf(day);
  if (days === null) return null;
  if (month === '*') return { kind: 'monthly', days };
  const months = valuesOf(month, MONTHS, 1);
  return months?.length === 1 ? { kind: 'yearly', days, month: months[0] ?? 1 } : null;
}

/** What a schedule of five fields says, where it fits into a short sentence; else null. */
export function readCron(schedule: string): CronReading | null {
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...rest] = schedule.trim().split(/\s+/);
  if (rest.length > 0 || weekday === '') return null;
  const [time, days] = [timeOf(minute, hour), daysOf(day, month, weekday)];
  return time === null || days === null ? null : { time, days };
}
