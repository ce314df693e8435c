import type { CallOptions } from '../http/call.js';
import type { List } from '../http/list.js';
import type {
  CalendarEntry,
  Job,
  JobChange,
  JobDefinition,
  JobWebhook,
  Manifest,
  NextInstants,
  Run,
} from '../shapes.js';
import { newKey } from '../http/idempotency-key.js';
import { instant } from './apis.js';
import type { Paged, SharedApi } from './apis.js';
import type { BatchItemPayload, JobId, PayloadOf, TriggerArguments, TriggeredRun } from './job-types.js';

const JOB = '/jobs/v1/jobs/{id}';

export interface RegisterOptions extends CallOptions {
  /** Deletes the jobs that are not in the manifest. */
  readonly prune?: boolean | undefined;
  /** Returns what would change, without changing anything. */
  readonly dryRun?: boolean | undefined;
}

export interface CalendarOptions extends Paged {
  /** From this instant on; by default now. */
  readonly since?: Date | string | undefined;
  /** Before this instant; by default seven days after `since`. */
  readonly until?: Date | string | undefined;
  readonly jobId?: string | undefined;
  /** At most so many instants of each schedule, so that one that fires often hides no other. */
  readonly perTrigger?: number | undefined;
}

export interface TriggerOptions extends CallOptions {
  readonly delayMs?: number | undefined;
  /** The instant at which to run, instead of `delayMs`. */
  readonly runAt?: Date | string | undefined;
  /** The same key and payload return the same run for 24 h. By default, each call gets a new key. */
  readonly idempotencyKey?: string | undefined;
}

/** One of the triggers of a batch. */
export type BatchItem<Payload> = BatchItemPayload<Payload> & Omit<TriggerOptions, 'signal'>;

/** The jobs that can run. */
export class Jobs {
  constructor(private readonly api: SharedApi) {}

  /** Registers jobs, all or none. Each job of the manifest is created, updated or left unchanged. */
  async register(
    manifest: Manifest | readonly JobDefinition[],
    { prune, dryRun, signal }: RegisterOptions = {},
  ): Promise<JobChange[]> {
    const body = 'jobs' in manifest ? manifest : { jobs: [...manifest] };
    const query = { prune, dry_run: dryRun };
    return (await this.api.post('/jobs/v1/jobs', { body, query, signal })).jobs;
  }

  list({ limit, signal }: Paged & CallOptions = {}): List<Job> {
    return this.api.list('/jobs/v1/jobs', { query: { limit }, signal });
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<Job> {
    return await this.api.get(JOB, { parameters: { id }, signal });
  }

  /** Stops schedules, webhooks, row changes and events. The job can still be triggered manually. */
  async pause(id: string, { signal }: CallOptions = {}): Promise<Job> {
    return await this.api.patch(JOB, { parameters: { id }, body: { paused: true }, signal });
  }

  async resume(id: string, { signal }: CallOptions = {}): Promise<Job> {
    return await this.api.patch(JOB, { parameters: { id }, body: { paused: false }, signal });
  }

  /** Pauses all jobs, or these, in one step. */
  async pauseAll({ ids, signal }: { ids?: readonly string[] } & CallOptions = {}): Promise<JobChange[]> {
    return await setAllPaused(this.api, true, ids, signal);
  }

  /** Resumes all jobs, or these, in one step. */
  async resumeAll({ ids, signal }: { ids?: readonly string[] } & CallOptions = {}): Promise<JobChange[]> {
    return await setAllPaused(this.api, false, ids, signal);
  }

  /** Cancels its waiting runs. The history stays. */
  async delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete(JOB, { parameters: { id }, signal });
  }

  /** The coming instants of each of its schedules. */
  async next(
    id: string,
    { count, from, signal }: { count?: number; from?: string } & CallOptions = {},
  ): Promise<NextInstants[]> {
    return await this.api.get('/jobs/v1/jobs/{id}/next', {
      parameters: { id },
      query: { count, from },
      signal,
    });
  }

  /** Its webhooks, each with the last call that was refused. */
  async webhooks(id: string, { signal }: CallOptions = {}): Promise<JobWebhook[]> {
    return await this.api.get('/jobs/v1/jobs/{id}/webhooks', { parameters: { id }, signal });
  }

  /** When the schedules of all jobs fire, in order of time. */
  schedule({
    since,
    until,
    jobId,
    perTrigger,
    limit,
    signal,
  }: CalendarOptions & CallOptions = {}): List<CalendarEntry> {
    const query = {
      since: instant(since),
      until: instant(until),
      job_id: jobId,
      per_trigger: perTrigger,
      limit,
    };
    return this.api.list('/jobs/v1/schedule', { query, signal });
  }

  /**
   * Runs the job once. The call has an idempotency key, so the client can repeat it if its answer is lost.
   * @param payload the JSON object that the handler receives
   */
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- a caller may name the payload's type
  async trigger<Payload extends object>(
    id: string,
    payload?: Payload,
    { delayMs, runAt, idempotencyKey = newKey(), signal }: TriggerOptions = {},
  ): Promise<Run> {
    return await this.api.post('/jobs/v1/jobs/{id}/trigger', {
      parameters: { id },
      headers: { 'Idempotency-Key': idempotencyKey },
      body: {
        payload: payload as Record<string, unknown> | undefined,
        delay_ms: delayMs,
        run_at: instant(runAt),
      },
      signal,
    });
  }

  /**
   * Runs the job up to 1,000 times, all or none. Each item has an idempotency key, so the client can repeat the call if
   * its answer is lost.
   * @returns a run for each item, in the same order
   */
  async triggerBatch(
    id: string,
    items: readonly BatchItem<object | undefined>[],
    { signal }: CallOptions = {},
  ): Promise<Run[]> {
    const body = {
      items: items.map(({ payload, delayMs, runAt, idempotencyKey = newKey() }) => ({
        payload: payload as Record<string, unknown> | undefined,
        delay_ms: delayMs,
        run_at: instant(runAt),
        idempotency_key: idempotencyKey,
      })),
    };
    const path = '/jobs/v1/jobs/{id}/trigger/batch';
    return (await this.api.post(path, { parameters: { id }, body, repeatable: true, signal })).runs;
  }
}

/** `Jobs` with types for payloads and results. */
export interface TypedJobs<Types> extends Omit<Jobs, 'trigger' | 'triggerBatch'> {
  /**
   * Runs the job once. The call has an idempotency key, so the client can repeat it if its answer is lost. `runs.wait`
   * and `runs.get` know the type of the result from the id of the run.
   */
  trigger<Id extends JobId<Types>>(
    id: Id,
    ...payloadAndOptions: TriggerArguments<Types[Id], TriggerOptions>
  ): Promise<TriggeredRun<Types[Id]>>;

  /** Runs the job up to 1,000 times, all or none. Returns a run for each item, in the same order. */
  triggerBatch<Id extends JobId<Types>>(
    id: Id,
    items: readonly BatchItem<PayloadOf<Types[Id]>>[],
    options?: CallOptions,
  ): Promise<TriggeredRun<Types[Id]>[]>;
}

export type JobsOf<Types> = string extends keyof Types ? Jobs : TypedJobs<Types>;

async function setAllPaused(
  api: SharedApi,
  paused: boolean,
  ids: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): Promise<JobChange[]> {
  const body = { paused, ids: ids === undefined ? undefined : [...ids] };
  return (await api.patch('/jobs/v1/jobs', { body, signal })).jobs;
}
