import { useLanguage } from '../text/i18n.js';

export interface Formats {
  /** `14:03:22` today, `Mar 3, 14:03` this year, else with the year. */
  instant(iso: string): string;
  /** With weekday, seconds and time zone. */
  full(iso: string): string;
  time(iso: string): string;
  number(value: number): string;
  percent(share: number): string;
  duration(ms: number): string;
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

function formatsOf(language: string): Formats {
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
  const day = new Intl.DateTimeFormat(language, {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
  const year = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const full = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' });
  const number = new Intl.NumberFormat(language);
  const decimal = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  return {
    instant: (iso) => {
      const at = new Date(iso);
      const now = new Date();
      if (isSameDay(at, now)) return time.format(at);
      return (at.getFullYear() === now.getFullYear() ? day : year).format(at);
    },
    full: (iso) => full.format(new Date(iso)),
    time: (iso) => time.format(new Date(iso)),
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    duration: (ms) => {
      if (ms < 1_000) return `${number.format(Math.round(ms))} ms`;
      if (ms < 60_000) return `${decimal.format(ms / 1_000)} s`;
      if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
      if (ms < 86_400_000)
        return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`;
      return `${Math.floor(ms / 86_400_000)} d ${Math.round((ms % 86_400_000) / 3_600_000)} h`;
    },
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
