import type { CallOptions } from '../http/call.js';
import { ServiceError } from '../service-error.js';
import type { Heartbeat, LogLevel, Run, Step } from '../shapes.js';
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
 * Reports from the handler of an attempt. The `credential` of the client is the token of the call, with which they are
 * accepted even after it has expired. All but `step` are of a deferred attempt, whose handler answered 202 with
 * `Service-Defer: true` and continues its work.
 *
 * Each method rejects with `run_cancelled` if nobody waits for the attempt any longer, and with `attempt_ended` if it
 * has ended for another reason. In both cases, stop working.
 */
export class Attempts {
  constructor(private readonly api: SharedApi) {}

  /**
   * Does something once for all attempts of the run: if the run has kept the step, returns what it kept; otherwise does it,
   * keeps the value and returns it. What is done and not kept is done again by the next attempt: if the process dies in
   * between, if the attempt ends meanwhile, or if the value cannot be kept.
   * @param name the same in each attempt, and another for each step: up to 128 visible characters, not beginning with a dot
   * @param work its value is up to 256 KiB of JSON, and is returned as it comes back from JSON; nothing becomes null
   * @throws ServiceError `attempt_ended`, `run_cancelled`, `run_token_required`, `limit_reached`; `validation_failed` for the
   *   name before `work` is called; for the value after it, `validation_failed`, `payload_too_large`, `invalid_json` where it
   *   is nested too deep, and TypeError where it has no JSON; and what `work` throws
   */
  async step<Value>(
    attempt: AttemptName,
    name: string,
    work: () => Value | Promise<Value>,
    { signal }: CallOptions = {},
  ): Promise<Value> {
    const parameters = { id: attempt.runId, name };
    try {
      return (await this.api.get(STEP, { parameters, signal })).value as Value;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'step_not_found') throw error;
    }
    const value = (await work()) ?? null;
    // What is done is kept, even if nobody waits for it any longer.
    return (await this.keepStep(attempt, name, value)).value as Value;
  }

  /**
   * Keeps what a step has resulted in. If the run has one of this name, returns that one and changes nothing.
   * @param value up to 256 KiB of JSON
   * @throws ServiceError `validation_failed`, `payload_too_large`, `invalid_json`, `attempt_ended`, `run_cancelled`, `run_token_required`, `limit_reached`
   */
  async keepStep(
    attempt: AttemptName,
    name: string,
    value: unknown,
    { signal }: CallOptions = {},
  ): Promise<Step> {
    return await this.api.put(STEP, { parameters: { id: attempt.runId, name }, body: { value }, signal });
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
