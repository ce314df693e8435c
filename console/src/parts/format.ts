import { useLanguage } from '../text/i18n.js';

export interface Formats {
  /** `14:03` today, `Mar 3, 14:03` this year, else with the year. */
  instant(iso: string): string;
  /** The same with seconds: of what happens many times a minute. */
  second(iso: string): string;
  /** `14:03:22.481` */
  millisecond(iso: string): string;
  /** With weekday, seconds and time zone. */
  full(iso: string): string;
  /** `14:03` */
  time(iso: string): string;
  number(value: number): string;
  percent(share: number): string;
  duration(ms: number): string;
  /** `27 B`, `1.5 KiB` */
  bytes(count: number): string;
  /** `in 5 minutes`, `3 hours ago` */
  relative(iso: string, now?: number): string;
}

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

function isSameDay(left: Date, right: Date): boolean {
  return left.toDateString() === right.toDateString();
}

/** @param formats of an instant today, of this year, and of another */
function asShortAs(formats: readonly Intl.DateTimeFormat[], iso: string): string {
  const at = new Date(iso);
  const now = new Date();
  const which = isSameDay(at, now) ? 0 : at.getFullYear() === now.getFullYear() ? 1 : 2;
  return formats[which]?.format(at) ?? iso;
}

type Unit = readonly [ms: number, name: string];

/** `10 min`, `10 min 5 s` */
function twoUnits(ms: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const rounded = Math.round(ms / small) * small;
  const rest = Math.round((rounded % large) / small);
  const whole = `${Math.floor(rounded / large)} ${largeName}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`;
}

function formatsOf(language: string): Formats {
  const clock = { hour: 'numeric', minute: '2-digit' } as const;
  const day = { month: 'short', day: 'numeric', ...clock } as const;
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(language, options);
  const minutes = [clock, day, { year: 'numeric', ...day } as const].map(format);
  const seconds = [clock, day, { year: 'numeric', ...day } as const].map((options) =>
    format({ ...options, second: '2-digit' }),
  );
  const time = format(clock);
  const millisecond = format({ ...clock, second: '2-digit', fractionalSecondDigits: 3 });
  const full = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' });
  const number = new Intl.NumberFormat(language);
  const decimal = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  return {
    instant: (iso) => asShortAs(minutes, iso),
    second: (iso) => asShortAs(seconds, iso),
    millisecond: (iso) => millisecond.format(new Date(iso)),
    full: (iso) => full.format(new Date(iso)),
    time: (iso) => time.format(new Date(iso)),
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    duration: (ms) => {
      if (ms < 1_000) return `${number.format(Math.round(ms))} ms`;
      if (ms < 60_000) return `${decimal.format(ms / 1_000)} s`;
      if (ms < 3_600_000) return twoUnits(ms, [60_000, 'min'], [1_000, 's']);
      if (ms < 86_400_000) return twoUnits(ms, [3_600_000, 'h'], [60_000, 'min']);
      return twoUnits(ms, [86_400_000, 'd'], [3_600_000, 'h']);
    },
    bytes: (count) => (count < 1_024 ? `${number.format(count)} B` : `${decimal.format(count / 1_024)} KiB`),
    relative: (iso, now = Date.now()) => {
      const delta = new Date(iso).getTime() - now;
      const [unit, size] = STEPS.find(([, step]) => Math.abs(delta) >= step) ?? (['second', 1_000] as const);
      return relative.format(Math.round(delta / size), unit);
    },
  };
}

const known = new Map<string, Formats>();

/** Numbers and times as the chosen language writes them, times in the browser's time zone. */
export function useFormats(): Formats {
  const language = useLanguage();
  const formats = known.get(language) ?? formatsOf(language);
  known.set(language, formats);
  return formats;
}
