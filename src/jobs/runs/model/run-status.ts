/** The statuses of a run (drawn in docs/run-states.md). */
export const RUN_STATUSES = ['queued', 'running', 'retrying', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** The possible outcomes of a call to the handler. */
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

/** After this many losses, the run is assumed to be what kills its workers. */
export const MAX_LOSSES = 5;

/** The events that can change a run's status. */
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
 * Every transition that exists; no other happens. Each one is an UPDATE guarded by the status it starts from. What a
 * worker writes about an attempt is also guarded by the fence of its claim.
 *
 * Handler errors, timeouts and network errors count as failures. Losses and shutdowns do not: they say nothing about
 * the handler and use up no retry.
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

/** The status that the event leads to; null when the event changes nothing. */
export function nextStatus(from: RunStatus, event: RunEvent): RunStatus | null {
  return TRANSITIONS.find((transition) => transition.from === from && transition.event === event)?.to ?? null;
}

/** The result of an attempt, as the invoker reports it. */
export type AttemptVerdict =
  { readonly kind: 'completed' } | { readonly kind: 'failed'; readonly retryable: boolean };

/**
 * The event that the end of an attempt is for its run.
 *
 * @param failures how many attempts failed before this one
 * @param maxAttempts how many attempts may fail in total: `retries` + 1
 */
export function eventOf(verdict: AttemptVerdict, failures: number, maxAttempts: number): RunEvent {
  if (verdict.kind === 'completed') return 'succeeded';
  if (!verdict.retryable) return 'failed for good';
  return failures + 1 < maxAttempts ? 'failed with retries left' : 'failed without retries left';
}

/** The status after an attempt that its worker completed. */
export function statusAfter(verdict: AttemptVerdict, failures: number, maxAttempts: number): RunStatus {
  const next = nextStatus('running', eventOf(verdict, failures, maxAttempts));
  if (next === null) throw new Error('the table of transitions has no way out of running for this end');
  return next;
}
