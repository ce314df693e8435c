import type { CallOptions } from '../http/call.js';
import type { List } from '../http/list.js';
import { followLines } from '../logs/follow.js';
import type { FollowedLine } from '../logs/follow.js';
import type { LogLevel, LogLine } from '../shapes.js';
import type { Paged, SharedApi } from './apis.js';

/** Which lines: those of a run, or of all runs; with `jobId`, of all runs of one job. */
export interface LogFilter {
  readonly runId?: string | undefined;
  readonly jobId?: string | undefined;
  /** The lowest level to show. */
  readonly level?: LogLevel | undefined;
  /** Lines from this instant on. */
  readonly since?: Date | string | undefined;
}

export interface FollowOptions extends LogFilter, CallOptions {
  /** The `event_id` of a line, after which to continue. */
  readonly after?: string | undefined;
}

/** The history of runs, and what their handlers printed. */
export class Logs {
  constructor(private readonly api: SharedApi) {}

  /** Oldest first, or with `order: 'desc'` newest first. */
  list({
    limit,
    order,
    signal,
    ...filter
  }: LogFilter & { readonly order?: 'asc' | 'desc' | undefined } & Paged & CallOptions = {}): List<LogLine> {
    const { runId, jobId, ...rest } = filter;
    const query = { ...queryOf(rest), order, limit };
    return runId === undefined
      ? this.api.list('/jobs/v1/logs', { query: { ...query, job_id: jobId }, signal })
      : this.api.list('/jobs/v1/runs/{id}/logs', { parameters: { id: runId }, query, signal });
  }

  /**
   * Lines as they arrive, across restarts and lost connections. The lines of one run begin with its history and end
   * with the run. Those of many begin with new lines, or at `since`, and end when the signal is aborted or the loop is
   * left.
   */
  follow({ runId, jobId, after, signal, ...rest }: FollowOptions = {}): AsyncGenerator<
    FollowedLine,
    void,
    undefined
  > {
    const query = { ...queryOf(rest), follow: true };
    return followLines(
      async (lastEventId, ending) => {
        const headers: Record<string, string> =
          lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
        const input = { headers, signal: ending };
        return runId === undefined
          ? await this.api.open('/jobs/v1/logs', { ...input, query: { ...query, job_id: jobId } })
          : await this.api.open('/jobs/v1/runs/{id}/logs', { ...input, parameters: { id: runId }, query });
      },
      after,
      signal,
    );
  }
}

function queryOf({ level, since }: Pick<LogFilter, 'level' | 'since'>): {
  level: LogLevel | undefined;
  since: string | undefined;
} {
  return { level, since: since instanceof Date ? since.toISOString() : since };
}
