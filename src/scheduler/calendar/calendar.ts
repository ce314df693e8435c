import { TimeSlice } from '../../platform/lifecycle/index.js';
import { CronSchedule, nextInstants } from '../cron/index.js';
import type { CalendarTrigger } from '../cron-trigger.repository.js';

/** An instant at which a trigger fires. */
export interface CalendarEntry {
  readonly trigger: CalendarTrigger;
  readonly at: Date;
  /** Whether the trigger fires again before the end, and these instants were left out as too many. */
  readonly more: boolean;
}

/** Which instants, and how many. */
export interface CalendarRange {
  readonly since: Date;
  readonly until: Date;
  readonly limit: number;
  /** Of each trigger, so that one that fires often hides no other; null for all. */
  readonly perTrigger: number | null;
  /** Only entries after this position: nothing before it is computed or counts. */
  readonly after: CalendarPosition | null;
}

/** The order of the calendar: by time, then by job and trigger. */
export interface CalendarPosition {
  readonly at: number;
  readonly jobId: string;
  readonly position: number;
}

/**
 * The instants from `since` on and before `until` at which the triggers fire, in order, and at most `limit`. Yields
 * between computations, since each takes up to a millisecond.
 */
export async function calendarOf(
  triggers: readonly CalendarTrigger[],
  { since, until, limit, perTrigger, after }: CalendarRange,
): Promise<CalendarEntry[]> {
  const slice = new TimeSlice();
  const from = new Date(Math.max(since.getTime(), after?.at ?? 0));
  const coming: Coming[] = [];
  for (const trigger of [...triggers].sort(byJob)) {
    await slice.yieldIfSpent();
    const next = Coming.of(trigger, from);
    if (next !== null && next.at < until) coming.push(next);
  }
  const entries: CalendarEntry[] = [];
  while (entries.length < limit) {
    const first = earliest(coming);
    if (first === null) break;
    const { trigger, at } = first;
    await slice.yieldIfSpent();
    const firesAgain = first.advance() && first.at < until;
    const isOnPage = after === null || isAfter({ trigger, at }, after);
    if (isOnPage) first.count += 1;
    const isEnough = first.count === perTrigger;
    if (isOnPage) entries.push({ trigger, at, more: firesAgain && isEnough });
    if (!firesAgain || isEnough) coming.splice(coming.indexOf(first), 1);
  }
  return entries;
}

/** A trigger at the next of its instants. */
class Coming {
  private parsed: CronSchedule | null = null;
  /** How many of its instants are in the calendar. */
  count = 0;

  private constructor(
    readonly trigger: CalendarTrigger,
    public at: Date,
  ) {}

  /** The first instant at or after `from`; null when there is none. */
  static of(trigger: CalendarTrigger, from: Date): Coming | null {
    const { settledUntil, nextFireAt } = trigger;
    // The stored instant needs no computation, and most calendars begin now.
    if (nextFireAt !== null && settledUntil < from && from <= nextFireAt)
      return new Coming(trigger, nextFireAt);
    const first = new Coming(trigger, new Date(from.getTime() - 1));
    return first.advance() ? first : null;
  }

  /** Goes on to the following instant. Returns false at the end of the calendar. */
  advance(): boolean {
    this.parsed ??= CronSchedule.parse(this.trigger.schedule);
    const [next] = nextInstants(this.parsed, this.trigger.timezone, this.at, 1);
    if (next === undefined) return false;
    this.at = next;
    return true;
  }
}

/** The earliest; of equal ones the first, which keeps the order of jobs and positions. */
function earliest(coming: readonly Coming[]): Coming | null {
  let first: Coming | null = null;
  for (const each of coming) if (first === null || each.at < first.at) first = each;
  return first;
}

function byJob(one: CalendarTrigger, other: CalendarTrigger): number {
  if (one.jobId === other.jobId) return one.position - other.position;
  return one.jobId < other.jobId ? -1 : 1;
}

function isAfter({ at, trigger }: Pick<CalendarEntry, 'at' | 'trigger'>, after: CalendarPosition): boolean {
  if (at.getTime() !== after.at) return at.getTime() > after.at;
  if (trigger.jobId !== after.jobId) return trigger.jobId > after.jobId;
  return trigger.position > after.position;
}
