import { Cron } from 'croner';
import { fieldsProblem } from './fields.js';

/** Longer than any five fields that name each of their values once. */
const MAX_LENGTH = 1000;

/** A year in which every day exists that ever does. */
const LEAP_YEAR_START = Date.UTC(2000, 0, 1);

/** An expression that is no schedule. The message goes on where the field's name ends: "must be five fields …". */
export class InvalidScheduleError extends Error {
  override readonly name = 'InvalidScheduleError';
}

/**
 * A five-field cron expression (jobs document, section 2; contract section 7), on a wall clock that never changes.
 *
 * Wall-clock times are milliseconds as `Date.UTC` counts them. What a zone makes of them is not known here:
 * the library steps in UTC alone, where it is right, since the libraries disagree around clock changes.
 */
export class CronSchedule {
  private constructor(
    private readonly pattern: Cron,
    /** Whether it follows real time through a clock change, as Debian's cron has it, rather than name fixed times. */
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
      patternOf(fields.join(' ')),
      minute?.startsWith('*') === true || hour?.startsWith('*') === true,
    );
    if (schedule.firstAfter(LEAP_YEAR_START) === null) {
      throw new InvalidScheduleError('names no day that ever comes');
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
    throw new InvalidScheduleError(`is no cron expression: ${error instanceof Error ? error.message : ''}`);
  }
}
