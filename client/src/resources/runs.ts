import type { CallOptions } from '../http/call.js';
import type { List } from '../http/list.js';
import { newKey } from '../http/idempotency-key.js';
import { mayPass } from '../http/retry.js';
import { wait } from '../http/waiting.js';
import { ServiceError } from '../service-error.js';
import type {
  BulkRuns,
  Queue,
  Run,
  RunOperation,
  RunStatsPoint,
  RunStatus,
  Step,
  StepSummary,
} from '../shapes.js';
import { instant } from './apis.js';
import type { Paged, SharedApi } from './apis.js';
import type { RunId, RunWithResult } from './job-types.js';

const ENDED: readonly RunStatus[] = ['completed', 'failed', 'cancelled'];
const FIRST_POLL_MS = 100;
const MAX_POLL_MS = 2_000;
const POLL_GROWTH = 1.5;

export type RunTriggerType = 'manual' | 'cron' | 'webhook' | 'data' | 'event';
type OneOrMore<Value extends string> = Value | readonly Value[];

export interface RunFilter {
  readonly jobId?: OneOrMore<string> | undefined;
  readonly status?: OneOrMore<RunStatus> | undefined;
  readonly trigger?: OneOrMore<RunTriggerType> | undefined;
  readonly errorCode?: OneOrMore<string> | undefined;
  /** Triggered by the handler of this run. */
  readonly parentRunId?: OneOrMore<string> | undefined;
  /** Retries this run. */
  readonly retryOf?: OneOrMore<string> | undefined;
  /** Whether another run retries it. Searched without an index, like `handler`. */
  readonly retried?: boolean | undefined;
  /** Searched without an index, like `payload` and `minDurationMs`: each page examines only some of the runs. */
  readonly handler?: OneOrMore<string> | undefined;
  /** Known for 24 h. */
  readonly idempotencyKey?: string | undefined;
  /** What the payload contains. */
  readonly payload?: object | undefined;
  readonly minDurationMs?: number | undefined;
  /** Created at this instant or later. */
  readonly since?: Date | string | undefined;
  /** Created before this instant. */
  readonly until?: Date | string | undefined;
}

export interface RunStatsFilter {
  /** From this instant on; by default 60 intervals before `until`. */
  readonly since?: Date | string | undefined;
  /** Before this instant; by default now. */
  readonly until?: Date | string | undefined;
  readonly interval?: '1m' | '5m' | '1h' | '1d' | undefined;
  readonly jobId?: string | undefined;
}

export interface RunListOptions extends RunFilter, Paged, CallOptions {
  /** Newest first by default; otherwise by start or by duration. */
  readonly sort?: 'created_at' | 'started_at' | 'duration' | undefined;
}

export interface BulkOptions extends CallOptions {
  /** Returns how many runs match, without changing anything. */
  readonly dryRun?: boolean | undefined;
}

export interface CancelOptions extends CallOptions {
  /** Also ends the runs that it triggered, and those triggered by them. */
  readonly children?: boolean | undefined;
}

export interface RetryOptions extends CallOptions {
  /** Any JSON that the new run gets; without it, that of the ended run. */
  readonly payload?: unknown;
  /** The same key, run and payload return the same new run for 24 h. By default, each call gets a new key. */
  readonly idempotencyKey?: string | undefined;
}

/** Past, current and waiting runs. */
export class Runs {
  constructor(private readonly api: SharedApi) {}

  /** Newest first. */
  list({ sort, limit, signal, ...filter }: RunListOptions = {}): List<Run> {
    const payload = filter.payload === undefined ? undefined : JSON.stringify(filter.payload);
    const query = { ...filterOf(filter), payload, sort, limit };
    return this.api.list('/jobs/v1/runs', { query, signal });
  }

  async get<Result = unknown>(
    id: RunId<Result>,
    { signal }: CallOptions = {},
  ): Promise<RunWithResult<Result>> {
    const run = await this.api.get('/jobs/v1/runs/{id}', { parameters: { id }, signal });
    return run as RunWithResult<Result>;
  }

  /** What the handler of a run has kept, the earliest first, without the values. */
  async steps(id: string, { signal }: CallOptions = {}): Promise<StepSummary[]> {
    return await this.api.get('/jobs/v1/runs/{id}/steps', { parameters: { id }, signal });
  }

  /** @throws ServiceError `step_not_found`, `run_not_found` */
  async step(id: string, name: string, { signal }: CallOptions = {}): Promise<Step> {
    return await this.api.get('/jobs/v1/runs/{id}/steps/{name}', { parameters: { id, name }, signal });
  }

  /** How many runs were accepted and ended, and how long they took, by interval. */
  async stats({ since, until, interval, jobId, signal }: RunStatsFilter & CallOptions = {}): Promise<
    RunStatsPoint[]
  > {
    const query = { since: instant(since), until: instant(until), interval, job_id: jobId };
    return await this.api.get('/jobs/v1/stats', { query, signal });
  }

  /** Waiting and running runs, by job. */
  async queue({ signal }: CallOptions = {}): Promise<Queue> {
    return await this.api.get('/jobs/v1/queue', { signal });
  }

  async cancel(id: string, { children, signal }: CancelOptions = {}): Promise<Run> {
    return await this.api.post('/jobs/v1/runs/{id}/cancel', {
      parameters: { id },
      query: { children },
      signal,
    });
  }

  /**
   * Creates a new run like one that has ended, with its payload or another. The call has an idempotency key, so the client can
   * repeat it if its answer is lost.
   */
  async retry(id: string, { payload, idempotencyKey = newKey(), signal }: RetryOptions = {}): Promise<Run> {
    return await this.api.post('/jobs/v1/runs/{id}/retry', {
      parameters: { id },
      headers: { 'Idempotency-Key': idempotencyKey },
      body: { payload },
      signal,
    });
  }

  /** Creates a new run for each matching run that has ended, at most 10,000. `operation` returns the progress. */
  async retryAll(filter: RunFilter, options: BulkOptions = {}): Promise<BulkRuns> {
    return await bulk(this.api, 'retry', filter, options);
  }

  /** Cancels all matching runs that have not ended, at most 10,000. */
  async cancelAll(filter: RunFilter, options: BulkOptions = {}): Promise<BulkRuns> {
    return await bulk(this.api, 'cancel', filter, options);
  }

  /** The progress of an operation of `retryAll` or `cancelAll`. It has finished when it has a `completed_at`. */
  async operation(id: string, { signal }: CallOptions = {}): Promise<RunOperation> {
    return await this.api.get('/jobs/v1/operations/{id}', { parameters: { id }, signal });
  }

  /**
   * Waits until the run has ended, whatever its status. Continues while the service is unavailable, if it was available
   * once.
   * @param timeoutMs without it, only the signal ends the wait
   * @throws ServiceError `timeout`
   */
  async wait<Result = unknown>(
    id: RunId<Result>,
    { timeoutMs = Number.POSITIVE_INFINITY, signal }: { timeoutMs?: number } & CallOptions = {},
  ): Promise<RunWithResult<Result>> {
    const giveUpAt = Date.now() + timeoutMs;
    let run: RunWithResult<Result> | null = null;
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * POLL_GROWTH, MAX_POLL_MS)) {
      try {
        run = await this.get(id, { signal });
      } catch (error) {
        if (run === null || signal?.aborted === true || !mayPass(error)) throw error;
      }
      if (ENDED.includes(run.status)) return run;
      const left = giveUpAt - Date.now();
      if (left <= 0)
        throw new ServiceError({
          code: 'timeout',
          message: `The run is still ${run.status} after ${timeoutMs} ms.`,
          status: 0,
        });
      await wait(Math.min(pollMs, left), signal);
    }
  }
}

async function bulk(
  api: SharedApi,
  action: 'retry' | 'cancel',
  filter: RunFilter,
  { dryRun, signal }: BulkOptions,
): Promise<BulkRuns> {
  const payload = filter.payload as Record<string, unknown> | undefined;
  const body = { action, filter: { ...filterOf(filter), payload }, dry_run: dryRun };
  return await api.post('/jobs/v1/runs/bulk', { body, signal });
}

/** The filter in the API's names, without the payload, which is text in a query. */
function filterOf(filter: RunFilter): Record<string, string | number | boolean | undefined> {
  const { jobId, status, trigger, errorCode, parentRunId, retryOf, retried, handler } = filter;
  const { idempotencyKey, minDurationMs, since, until } = filter;
  return {
    job_id: listed(jobId),
    status: listed(status),
    trigger: listed(trigger),
    error_code: listed(errorCode),
    parent_run_id: listed(parentRunId),
    retry_of: listed(retryOf),
    retried,
    handler: listed(handler),
    idempotency_key: idempotencyKey,
    min_duration_ms: minDurationMs,
    since: instant(since),
    until: instant(until),
  };
}

function listed(values: OneOrMore<string> | undefined): string | undefined {
  return typeof values === 'string' ? values : values?.join(',');
}
