/** Where a run can be (drawn in docs/run-states.md). */
export type RunStatus = 'queued' | 'running' | 'retrying' | 'completed' | 'failed' | 'cancelled';

/** How a call to the handler can end. */
export type AttemptOutcome = 'completed' | 'failed' | 'timeout' | 'lost' | 'interrupted' | 'cancelled';

export type RunErrorCode =
  | 'handler_error'
  | 'handler_fatal'
  | 'timeout'
  | 'handler_unreachable'
  | 'handler_not_found'
  | 'worker_lost'
  | 'cancelled';

export const FINAL_STATUSES = ['completed', 'failed', 'cancelled'] as const satisfies readonly RunStatus[];

/** A run whose worker was lost this often is taken for the cause of it. */
export const MAX_LOSSES = 5;

/** What an attempt came to, as the invoker tells it. */
export type AttemptVerdict =
  { readonly kind: 'completed' } | { readonly kind: 'failed'; readonly retryable: boolean };

/**
 * Every way out of `running`, as one table. Losses and interruptions do not count among the failures: they
 * say nothing of the handler.
 *
 * | attempt ended by                    | retries left | next status |
 * |-------------------------------------|--------------|-------------|
 * | the handler, with success           |              | completed   |
 * | the handler, for good (422)         |              | failed      |
 * | the handler, the clock, the network | yes          | retrying    |
 * | the handler, the clock, the network | no           | failed      |
 * | the worker's death                  | (4 before)   | retrying, the fifth time failed |
 * | the worker's shutdown               |              | retrying    |
 *
 * @param failures how many attempts had failed before this one
 * @param maxAttempts how many may fail in all: `retries` + 1
 */
export function statusAfter(verdict: AttemptVerdict, failures: number, maxAttempts: number): RunStatus {
  if (verdict.kind === 'completed') return 'completed';
  return verdict.retryable && failures + 1 < maxAttempts ? 'retrying' : 'failed';
}
