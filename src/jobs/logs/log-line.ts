/** From the lowest to the highest. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogLine {
  /** Where it stands among all lines: a decimal text, larger than a number. */
  readonly id: string;
  readonly at: Date;
  readonly tenantId: string;
  readonly runId: string;
  readonly jobId: string;
  /** Null before the first attempt. */
  readonly attempt: number | null;
  readonly level: LogLevel;
  readonly message: string;
  readonly endsRun: boolean;
}

/** Oldest or newest line first. */
export const LINE_ORDERS = ['asc', 'desc'] as const;
export type LineOrder = (typeof LINE_ORDERS)[number];

/** Which lines are asked for. */
export interface LogFilter {
  readonly runId: string | null;
  readonly jobId: string | null;
  /** The lowest that is shown. */
  readonly level: LogLevel;
  readonly since: Date | null;
}

/** An id of a line, or 0 before all of them; within PostgreSQL's bigint. */
export const LOG_ID = /^(?:0|[1-9]\d{0,17})$/;

export function levelsFrom(lowest: LogLevel): LogLevel[] {
  return LOG_LEVELS.slice(LOG_LEVELS.indexOf(lowest));
}

/** What a follower with this filter is shown of new lines; `since` speaks of old ones. */
export function matches(filter: LogFilter, line: LogLine): boolean {
  return (
    (filter.runId === null || filter.runId === line.runId) &&
    (filter.jobId === null || filter.jobId === line.jobId) &&
    LOG_LEVELS.indexOf(line.level) >= LOG_LEVELS.indexOf(filter.level)
  );
}

const MAX_LINE_BYTES = 8192;
const CUT = ' … (cut)';

/** Text as it can be stored: no NUL, no half of a surrogate pair, at most 8 KiB. */
export function storableLine(message: string): string {
  const text = message.replaceAll('\0', '').toWellFormed();
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= MAX_LINE_BYTES) return text;
  // A cut character at the end becomes U+FFFD and goes.
  return (
    bytes
      .subarray(0, MAX_LINE_BYTES - Buffer.byteLength(CUT))
      .toString('utf8')
      .replace(/\uFFFD$/, '') + CUT
  );
}
