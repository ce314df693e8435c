import type { TenantId } from '../../../http/index.js';
import { retryDelayMs } from '../model/retry-backoff.js';
import type { RetryPolicy } from '../model/retry-backoff.js';
import { eventOfFailure } from '../model/run-status.js';
import type { RunErrorCode } from '../model/run-status.js';
import type { AttemptEnd } from '../model/attempt-end.js';
import { keptMessage } from './error-message.js';

/** What the end of an attempt needs of its run. */
export interface RunOfAttempt {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly fence: number;
  readonly failures: number;
  readonly maxAttempts: number;
  readonly retryBackoff: RetryPolicy;
}

/** How an attempt failed. */
export interface AttemptFailure {
  readonly code: RunErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  /** How long the handler asked to be left alone. */
  readonly retryAfterMs: number | null;
  readonly statusCode: number | null;
}

/** The end of an attempt that succeeded. @param result JSON text, or null */
export function successOf(
  { id, tenantId, fence }: RunOfAttempt,
  result: string | null,
  statusCode: number | null,
): AttemptEnd {
  return {
    runId: id,
    tenantId,
    fence,
    event: 'succeeded',
    outcome: 'completed',
    countsAsFailure: false,
    statusCode,
    errorCode: null,
    errorMessage: null,
    result,
    delayMs: 0,
  };
}

/** The end of an attempt whose run may not act as its caller any more. */
export function refusedEndOf(
  { id, tenantId, fence }: Pick<RunOfAttempt, 'id' | 'tenantId' | 'fence'>,
  errorMessage: string,
): AttemptEnd {
  return {
    runId: id,
    tenantId,
    fence,
    event: 'actor not allowed',
    outcome: 'cancelled',
    countsAsFailure: false,
    statusCode: null,
    errorCode: 'actor_not_allowed',
    errorMessage,
    result: null,
    delayMs: 0,
  };
}

/** The end of an attempt that failed, and how long its run waits if it is retried. */
export function failureOf(run: RunOfAttempt, failure: AttemptFailure): AttemptEnd {
  const event = eventOfFailure(failure.retryable, run.failures, run.maxAttempts);
  return {
    runId: run.id,
    tenantId: run.tenantId,
    fence: run.fence,
    event,
    outcome: failure.code === 'timeout' ? 'timeout' : 'failed',
    countsAsFailure: true,
    statusCode: failure.statusCode,
    errorCode: failure.code,
    errorMessage: keptMessage(failure.message),
    result: null,
    delayMs:
      event === 'failed with retries left'
        ? retryDelayMs(run.retryBackoff, run.failures + 1, failure.retryAfterMs, Math.random())
        : 0,
  };
}
