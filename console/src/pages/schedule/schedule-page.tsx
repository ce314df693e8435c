import { Button, Group, Text } from '@mantine/core';
import type { CalendarEntry } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import { CalendarClock, Clock, ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useFilters } from '../../parts/filters.js';
import { useFormats } from '../../parts/format.js';
import { Instant } from '../../parts/instant.js';
import { Card, Page, PageSkeleton } from '../../parts/page.js';
import { Empty, Failure } from '../../parts/states.js';
import { runsKey } from '../../tenant/live-runs.js';
import { useJobNames } from '../../tenant/job-names.js';
import { useTenant } from '../../tenant/tenant.js';
import { useTriggerWords } from '../../tenant/trigger-words.js';
import { useLanguage } from '../../text/i18n.js';
import { daysOf } from './calendar.js';
import type { DayEntry } from './calendar.js';
import classes from './schedule-page.module.css';
import { useScheduleText } from './text.js';

const DAYS = 7;
const PAGE_SIZE = 1_000;
const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** A schedule that fires each minute has 10,080 instants in a week, and would hide the others: each hour is enough. */
const OF_ONE_SCHEDULE = 170;
const MOST = 2_000;

/** The day of the address, as `2026-03-29`; today without one. */
function beginningOf(from: string): Date {
  const [year, month, day] = from.split('-').map(Number);
  const at = new Date(new Date().setHours(0, 0, 0, 0));
  if (year === undefined || month === undefined || day === undefined) return at;
  const chosen = new Date(year, month - 1, day);
  return Number.isNaN(chosen.getTime()) ? at : chosen;
}

function addDays(at: Date, days: number): Date {
  // By the calendar: a day with a clock change has 23 or 25 hours.
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + days);
}

/** Of the week from today, what is still to come; other weeks are whole. */
function sinceOf(from: Date): Date {
  const now = new Date();
  return from <= now && now < addDays(from, 1) ? now : from;
}

function nameOf(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

interface EntryProps {
  readonly entry: DayEntry;
  /** Of the job. */
  readonly name: string;
}

function Entry({ entry: { first, last, count, clockChange }, name }: EntryProps): ReactNode {
  const t = useScheduleText();
  const words = useTriggerWords();
  const { path } = useTenant();
  const sentence = words.cron(first);
  return (
    <li data-paused={first.paused || undefined}>
      <span>
        <Instant at={first.at} withoutDay />
        {count > 1 && !last.more && (
          <>
            {' '}
            {t('until')} <Instant at={last.at} withoutDay />
            <Text size="xs" c="dimmed">
              {t('times', { count })}
            </Text>
          </>
        )}
        {last.more && (
          <Text size="xs" c="dimmed">
            {t('goesOn')}
          </Text>
        )}
      </span>
      <Link
        to={`${path}/jobs/${encodeURIComponent(first.job_id)}`}
        className="two-lines"
        dir="auto"
        title={first.job_id}
      >
        {name}
      </Link>
      <span className={classes.detail}>
        {sentence}
        {!sentence.includes(first.schedule) && <code className={classes.cron}>{first.schedule}</code>}
        {first.timezone !== OWN_ZONE && (
          <div>{t('there', { time: first.local_time.slice(11, 16), zone: first.timezone })}</div>
        )}
        {first.paused && <div>{t('paused')}</div>}
        {clockChange !== null && (
          <div className={classes.clock}>
            <Clock size={13} aria-hidden />
            {t('clock', clockChange)}
          </div>
        )}
      </span>
    </li>
  );
}

/** When which job runs next, a week at a time. */
export default function SchedulePage(): ReactNode {
  const t = useScheduleText();
  const formats = useFormats();
  const language = useLanguage();
  const tenant = useTenant();
  const { values, set } = useFilters(['from']);
  const from = beginningOf(values.from);
  const parts = { weekday: 'long', month: 'long', day: 'numeric' } as const;
  const day = new Intl.DateTimeFormat(language, parts);
  const dayOfOtherYear = new Intl.DateTimeFormat(language, { ...parts, year: 'numeric' });
  const dayOf = (at: Date | number): string =>
    (new Date(at).getFullYear() === new Date().getFullYear() ? day : dayOfOtherYear).format(at);
  const { data, error, refetch } = useQuery<CalendarEntry[]>({
    queryKey: runsKey(tenant, 'schedule', nameOf(from)),
    queryFn: ({ signal }) =>
      tenant.client.jobs
        .schedule({
          since: sinceOf(from),
          until: addDays(from, DAYS),
          perTrigger: OF_ONE_SCHEDULE,
          limit: PAGE_SIZE,
          signal,
        })
        .all(MOST),
  });
  const names = new Map(useJobNames()?.map(({ id, name }) => [id, name]));
  const nameOfJob = (id: string): string => names.get(id) ?? id;
  const move = (days: number) => () => {
    set({ from: nameOf(addDays(from, days)) });
  };
  return (
    <Page
      title={t('title')}
      about={t('about', { zone: OWN_ZONE })}
      actions={
        <Group gap={6}>
          <Button variant="default" aria-label={t('earlier')} px={8} onClick={move(-DAYS)}>
            <ChevronLeft size={16} />
          </Button>
          <Button
            variant="default"
            onClick={() => {
              set({ from: null });
            }}
          >
            {t('today')}
          </Button>
          <Button variant="default" aria-label={t('later')} px={8} onClick={move(DAYS)}>
            <ChevronRight size={16} />
          </Button>
        </Group>
      }
    >
      <Text size="sm" c="dimmed">
        {t('week', { day: dayOf(from) })}
      </Text>
      {data === undefined &&
        (error === null ? <PageSkeleton /> : <Failure error={error} onRetry={() => void refetch()} />)}
      {data?.length === 0 && (
        <Card>
          <Empty
            icon={CalendarClock}
            title={t('emptyTitle')}
            action={
              <Button component={Link} to={`${tenant.path}/jobs`} variant="default">
                {t('toJobs')}
              </Button>
            }
          >
            {t('emptyText')}
          </Empty>
        </Card>
      )}
      {daysOf(data ?? []).map(({ at, entries }) => (
        <Card key={at.getTime()} flush title={dayOf(at)}>
          <ul className={classes.entries}>
            {entries.map((entry) => (
              <Entry key={entry.key} entry={entry} name={nameOfJob(entry.first.job_id)} />
            ))}
          </ul>
        </Card>
      ))}
      {data?.length === MOST && (
        <Text size="sm" c="dimmed">
          {t('cut', { count: MOST, number: formats.number(MOST) })}
        </Text>
      )}
    </Page>
  );
}
