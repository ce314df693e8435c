import { Cron } from 'croner';
import { fieldsProblem, withinRanges } from './fields.js';

/** More than five fields need if they name each value once. */
const MAX_LENGTH = 1000;

/** A year that contains every possible date. */
const LEAP_YEAR_START = Date.UTC(2000, 0, 1);

/** The expression is not a valid schedule. The message continues the field's name: "must be five fields …". */
export class InvalidScheduleError extends Error {
  override readonly name = 'InvalidScheduleError';
}

/**
 * A five-field cron expression (jobs document, section 2; contract section 7) on a wall clock without time zone.
 *
 * Wall-clock times are milliseconds as counted by `Date.UTC`. This class knows nothing of time zones: cron libraries
 * disagree around clock changes, so the library computes only in UTC, where it is correct.
 */
export class CronSchedule {
  private constructor(
    private readonly pattern: Cron,
    /**
     * Whether the schedule follows real time through clock changes, as in Debian's cron, instead of naming fixed
     * times.
     */
    readonly followsRealTime: boolean,
  ) {}

  /** @throws InvalidScheduleError */
  static parse(expression: string): CronSchedule {
    if (expression.length > MAX_LENGTH) {
      throw new InvalidScheduleError(`must have at most ${MAX_LENGTH} characters`);
    }
    const fields = expression.split(/[ \t]+/).filter((field) => field !== '');
    const problem = fieldsProblem(fields);
    if (problem !== null) throw new InvalidScheduleError(problem);
    const [minute, hour] = fields;
    const schedule = new CronSchedule(
      patternOf(withinRanges(fields).join(' ')),
      minute?.startsWith('*') === true || hour?.startsWith('*') === true,
    );
    if (schedule.firstAfter(LEAP_YEAR_START) === null) {
      throw new InvalidScheduleError('never matches any date');
    }
    return schedule;
  }

  /** The first matching wall-clock minute after this wall-clock time; null past the end of the calendar. */
  firstAfter(wallTime: number): number | null {
    return this.pattern.nextRun(new Date(wallTime))?.getTime() ?? null;
  }
}

function patternOf(expression: string): Cron {
  try {
    return new Cron(expression, { mode: '5-part', utcOffset: 0 });
  } catch (error) {
    throw new InvalidScheduleError(
      `is not a cron expression: ${error instanceof Error ? error.message : ''}`,
    );
  }
}
