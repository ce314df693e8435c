/** From the lowest to the highest. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogLine {
  /** Its position among all lines, as decimal text: larger than a JavaScript number. */
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

/** Selects lines. */
export interface LogFilter {
  readonly runId: string | null;
  readonly jobId: string | null;
  /** The lowest level that is shown. */
  readonly level: LogLevel;
  readonly since: Date | null;
}

/** The id of a line, or 0 for before all lines; within PostgreSQL's bigint. */
export const LOG_ID = /^(?:0|[1-9]\d{0,17})$/;

export function levelsFrom(lowest: LogLevel): LogLevel[] {
  return LOG_LEVELS.slice(LOG_LEVELS.indexOf(lowest));
}

/** Whether a follower with this filter gets the new line. `since` concerns stored lines only. */
export function matches(filter: LogFilter, line: LogLine): boolean {
  return (
    (filter.runId === null || filter.runId === line.runId) &&
    (filter.jobId === null || filter.jobId === line.jobId) &&
    LOG_LEVELS.indexOf(line.level) >= LOG_LEVELS.indexOf(filter.level)
  );
}
