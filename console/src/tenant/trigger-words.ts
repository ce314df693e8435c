import type { Job } from '@service/client';
import { useFormats } from '../parts/format.js';
import { useLanguage } from '../text/i18n.js';
import { readCron } from './cron-reading.js';
import type { CronDays, CronTime } from './cron-reading.js';
import { useTriggerText } from './trigger-text.js';

type Trigger = Job['triggers'][number];
type Cron = { readonly schedule: string; readonly timezone?: string };

/** A day of that number of the week; Sunday is 0. */
function weekday(day: number): Date {
  return new Date(2023, 0, 1 + day);
}

/** Words of a language for lists, days and times. */
function wordsOf(language: string) {
  const list = new Intl.ListFormat(language, { type: 'conjunction' });
  const either = new Intl.ListFormat(language, { type: 'disjunction' });
  const time = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' });
  const day = new Intl.DateTimeFormat(language, { weekday: 'long' });
  const date = new Intl.DateTimeFormat(language, { month: 'long', day: 'numeric' });
  return {
    list: (items: readonly string[]) => list.format(items),
    either: (items: readonly string[]) => either.format(items),
    time: (minutes: number) => time.format(new Date(2023, 0, 1, 0, minutes)),
    weekday: (of: number) => day.format(weekday(of)),
    date: (month: number, of: number) => date.format(new Date(2023, month - 1, of)),
  };
}

/** Monday to Friday, where days follow each other. */
function areInARow(days: readonly number[]): boolean {
  return days.length > 2 && days.every((day, index) => index === 0 || day === (days[index - 1] ?? 0) + 1);
}

/** What triggers a job, as a sentence. */
export function useTriggerWords(): {
  readonly cron: (cron: Cron) => string;
  readonly of: (trigger: Trigger) => string;
} {
  const t = useTriggerText();
  const words = wordsOf(useLanguage());
  const formats = useFormats();

  function timeOf(time: CronTime): string {
    if (time.kind === 'times') return t('at', { times: words.list(time.minutes.map(words.time)) });
    if (time.kind === 'hours' && time.minute === 0) return t('everyFullHours', { count: time.every });
    if (time.kind === 'hours') return t('everyHours', { count: time.every, minute: time.minute });
    const every = t('everyMinutes', { count: time.every });
    if (time.from === null || time.until === null) return every;
    return t('between', { every, from: words.time(time.from), until: words.time(time.until) });
  }

  function daysOf(days: CronDays): string {
    switch (days.kind) {
      case 'all':
        return '';
      case 'weekdays': {
        const names = days.days.map(words.weekday);
        return areInARow(days.days)
          ? t('fromTo', { from: names[0], to: names.at(-1) })
          : t('onDays', { days: words.list(names) });
      }
      case 'monthly':
        return t('monthly', { count: days.days.length, days: words.list(days.days.map(String)) });
      case 'yearly':
        return t('onDays', { days: words.list(days.days.map((day) => words.date(days.month, day))) });
    }
  }

  function cronOf({ schedule, timezone = 'UTC' }: Cron): string {
    const reading = readCron(schedule);
    if (reading === null) return t('cron', { schedule, zone: timezone });
    const days =
      reading.days.kind === 'all' && reading.time.kind === 'times' ? t('daily') : daysOf(reading.days);
    const said = [timeOf(reading.time), days].filter((part) => part !== '').join(' ');
    return t('inZone', { said: said.charAt(0).toLocaleUpperCase() + said.slice(1), zone: timezone });
  }

  function of(trigger: Trigger): string {
    switch (trigger.type) {
      case 'cron':
        return cronOf(trigger);
      case 'webhook':
        return t('webhook', { method: trigger.method ?? 'POST', path: trigger.path });
      case 'data': {
        const what = words.either(trigger.events.map((event) => t(event)));
        const { table, columns } = trigger;
        return columns === undefined
          ? t('data', { table, what })
          : t('dataColumns', { table, what, columns: words.either(columns) });
      }
      case 'event': {
        const events = trigger.events.join(', ');
        const event =
          trigger.jobs === undefined
            ? t('event', { events })
            : t('eventOfJobs', { events, jobs: trigger.jobs.join(', ') });
        if (trigger.after_ms === undefined) return event;
        const later = { event, duration: formats.duration(trigger.after_ms) };
        return trigger.unless === undefined
          ? t('after', later)
          : t('afterUnless', { ...later, unless: trigger.unless.join(', ') });
      }
    }
  }
  return { cron: cronOf, of };
}
