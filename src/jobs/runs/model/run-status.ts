/** Where a run can be (drawn in docs/run-states.md). */
export const RUN_STATUSES = ['queued', 'running', 'retrying', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

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

export function isFinal(status: RunStatus): boolean {
  return (FINAL_STATUSES as readonly RunStatus[]).includes(status);
}

/** A run whose worker was lost this often is taken for the cause of it. */
export const MAX_LOSSES = 5;

/** What can happen to a run. */
export type RunEvent =
  | 'claimed'
  | 'succeeded'
  | 'failed for good'
  | 'failed with retries left'
  | 'failed without retries left'
  | 'worker lost'
  | 'worker lost for the fifth time'
  | 'worker shut down'
  | 'cancelled'
  | 'job deleted';

export interface Transition {
  readonly from: RunStatus;
  readonly event: RunEvent;
  readonly to: RunStatus;
}

/**
 * Every change of status there is; what is not here does not happen. Each is an UPDATE guarded by the status
 * that it comes from, and what a worker writes of an attempt by the fence of its claim too.
 *
 * A failure is the handler's, the clock's or the network's. Losses and shutdowns are none: they say nothing of
 * the handler, and use up no retry.
 */
export const TRANSITIONS: readonly Transition[] = [
  { from: 'queued', event: 'claimed', to: 'running' },
  { from: 'retrying', event: 'claimed', to: 'running' },
  { from: 'running', event: 'succeeded', to: 'completed' },
  { from: 'running', event: 'failed for good', to: 'failed' },
  { from: 'running', event: 'failed with retries left', to: 'retrying' },
  { from: 'running', event: 'failed without retries left', to: 'failed' },
  { from: 'running', event: 'worker lost', to: 'retrying' },
  { from: 'running', event: 'worker lost for the fifth time', to: 'failed' },
  { from: 'running', event: 'worker shut down', to: 'retrying' },
  { from: 'queued', event: 'cancelled', to: 'cancelled' },
  { from: 'retrying', event: 'cancelled', to: 'cancelled' },
  { from: 'running', event: 'cancelled', to: 'cancelled' },
  { from: 'queued', event: 'job deleted', to: 'cancelled' },
  { from: 'retrying', event: 'job deleted', to: 'cancelled' },
];

/** Where the event takes a run; null where it changes nothing. */
export function nextStatus(from: RunStatus, event: RunEvent): RunStatus | null {
  return TRANSITIONS.find((transition) => transition.from === from && transition.event === event)?.to ?? null;
}

/** What an attempt came to, as the invoker tells it. */
export type AttemptVerdict =
  { readonly kind: 'completed' } | { readonly kind: 'failed'; readonly retryable: boolean };

/**
 * What the end of an attempt is to its run.
 *
 * @param failures how many attempts had failed before this one
 * @param maxAttempts how many may fail in all: `retries` + 1
 */
export function eventOf(verdict: AttemptVerdict, failures: number, maxAttempts: number): RunEvent {
  if (verdict.kind === 'completed') return 'succeeded';
  if (!verdict.retryable) return 'failed for good';
  return failures + 1 < maxAttempts ? 'failed with retries left' : 'failed without retries left';
}

/** The status after an attempt that its worker saw through. */
export function statusAfter(verdict: AttemptVerdict, failures: number, maxAttempts: number): RunStatus {
  const next = nextStatus('running', eventOf(verdict, failures, maxAttempts));
  if (next === null) throw new Error('the table of transitions has no way out of running for this end');
  return next;
}
