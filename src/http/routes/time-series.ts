import { ServiceError } from '../errors/service-error.js';
import { QueryInstant } from '../validation/query-fields.js';

/** One day in minutes. */
const MAX_POINTS = 1440;
const DEFAULT_POINTS = 60;

/** The time for which figures are requested. */
export class TimeSeriesQuery {
  @QueryInstant(
    'From this instant on, at most 1440 intervals before `until`; 60 intervals before it when absent.',
  )
  since?: string;

  @QueryInstant('Before this instant; now when absent.')
  until?: string;
}

/** Consecutive intervals of equal length. */
export interface TimeSeries {
  /** The start of the first interval. */
  readonly since: Date;
  /** The end of the last one. */
  readonly until: Date;
  /** Where each interval begins, in milliseconds since 1970. */
  readonly starts: readonly number[];
}

/**
 * The intervals that overlap the time. They begin at whole multiples of their length since 1970.
 *
 * @param interval its name, for the error
 * @throws validation_failed for more than 1440 intervals
 */
export function timeSeries(
  { since, until }: TimeSeriesQuery,
  { lengthMs, interval }: { lengthMs: number; interval: string },
): TimeSeries {
  const end = Math.ceil((until === undefined ? Date.now() : Date.parse(until)) / lengthMs) * lengthMs;
  const start =
    since === undefined
      ? end - DEFAULT_POINTS * lengthMs
      : Math.floor(Date.parse(since) / lengthMs) * lengthMs;
  const count = Math.max((end - start) / lengthMs, 0);
  if (count > MAX_POINTS)
    throw new ServiceError('validation_failed', {
      details: [
        { path: 'since', message: `must be at most ${MAX_POINTS} intervals of ${interval} before until` },
      ],
    });
  const starts = Array.from({ length: count }, (_, index) => start + index * lengthMs);
  return { since: new Date(start), until: new Date(end), starts };
}
