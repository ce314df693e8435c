import type { CallOptions } from '../http/call.js';
import { ServiceError } from '../service-error.js';
import type { Heartbeat, LogLevel, Run } from '../shapes.js';
import type { SharedApi } from './apis.js';

const STEP = '/jobs/v1/runs/{id}/steps/{name}';

/** An attempt of a run, as `verifyHandlerCall` returns it among the rest of the call. */
export interface AttemptName {
  readonly runId: string;
  /** 1 for the first. */
  readonly attempt: number;
}

/** Why an attempt failed, and what follows. */
export interface AttemptFailure {
  /** What went wrong, for people who read the run; the first 2,000 characters are kept. */
  readonly error?: string | undefined;
  /** Ends the run without another attempt. */
  readonly fatal?: boolean | undefined;
  /** The next attempt starts no earlier. */
  readonly retryAfterMs?: number | undefined;
}

/** A line for the log of a run. */
export interface HandlerLine {
  readonly level: LogLevel;
  /** Longer lines are cut at 8 KiB. */
  readonly message: string;
}

/**
 * Reports from the handler of an attempt. The `credential` of the client is the token of the call. All but `step` are of a
 * deferred attempt, whose handler answered 202 with `Service-Defer: true` and continues its work. They are accepted with
 * the token even after it has expired.
 *
 * Each method rejects with `run_cancelled` if nobody waits for the attempt any longer, and with `attempt_ended` if it
 * has ended for another reason. In both cases, stop working.
 */
export class Attempts {
  constructor(private readonly api: SharedApi) {}

  /**
   * Does something once for all attempts of the run: if an earlier attempt has kept the step, returns what it kept;
   * otherwise does it, keeps the value and returns it. If the process dies in between, it is done again.
   * @param name the same in each attempt, and another for each step: up to 128 characters
   * @param work its value is up to 256 KiB of JSON, and is returned as it comes back from JSON; nothing becomes null
   * @throws ServiceError `attempt_ended`, `run_cancelled`, `run_token_required`, `limit_reached`; and what `work` throws
   */
  async step<Value>(
    attempt: AttemptName,
    name: string,
    work: () => Value | Promise<Value>,
    { signal }: CallOptions = {},
  ): Promise<Value> {
    const request = { parameters: { id: attempt.runId, name }, signal };
    if (attempt.attempt > 1)
      try {
        return (await this.api.get(STEP, request)).value as Value;
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'step_not_found') throw error;
      }
    const value = (await work()) ?? null;
    return (await this.api.put(STEP, { ...request, body: { value } })).value as Value;
  }

  /**
   * Ends the attempt and the run as completed. The first result is kept, however often it is reported.
   * @param result up to 64 KiB of JSON
   * @throws ServiceError `attempt_ended`, `run_cancelled`, `run_token_required`
   */
  async complete(attempt: AttemptName, result?: unknown, { signal }: CallOptions = {}): Promise<Run> {
    return await this.api.post('/jobs/v1/runs/{id}/attempts/{number}/complete', {
      parameters: parametersOf(attempt),
      body: { result },
      repeatable: true,
      signal,
    });
  }

  /**
   * Ends the attempt as failed. The run is retried as after any failure, unless it is `fatal`.
   * @throws ServiceError `attempt_ended`, `run_cancelled`, `run_token_required`
   */
  async fail(
    attempt: AttemptName,
    { error, fatal, retryAfterMs, signal }: AttemptFailure & CallOptions = {},
  ): Promise<Run> {
    return await this.api.post('/jobs/v1/runs/{id}/attempts/{number}/fail', {
      parameters: parametersOf(attempt),
      body: { error, fatal, retry_after_ms: retryAfterMs },
      repeatable: true,
      signal,
    });
  }

  /**
   * Extends the attempt: it may take `timeout_ms` of its job from now. Without a sign of life for so long, it ends with
   * a timeout.
   * @returns when that is, and a `token` for a client that makes other calls until then
   * @throws ServiceError `attempt_ended`, `run_cancelled`, `run_token_required`
   */
  async heartbeat(attempt: AttemptName, { signal }: CallOptions = {}): Promise<Heartbeat> {
    return await this.api.post('/jobs/v1/runs/{id}/attempts/{number}/heartbeat', {
      parameters: parametersOf(attempt),
      repeatable: true,
      signal,
    });
  }

  /**
   * Adds lines to the log of the run, which is a sign of life too. The call is not repeated after a failure, because
   * that could duplicate the lines.
   * @param lines 1 to 1,000
   * @throws ServiceError `attempt_ended`, `run_cancelled`, `run_token_required`
   */
  async log(
    attempt: AttemptName,
    lines: readonly HandlerLine[],
    { signal }: CallOptions = {},
  ): Promise<void> {
    await this.api.post('/jobs/v1/runs/{id}/attempts/{number}/log', {
      parameters: parametersOf(attempt),
      body: [...lines],
      signal,
    });
  }
}

function parametersOf({ runId, attempt }: AttemptName): { id: string; number: string } {
  return { id: runId, number: String(attempt) };
}
