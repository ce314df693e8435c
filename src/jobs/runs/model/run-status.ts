/** The statuses of a run (drawn in docs/run-states.md). */
export const RUN_STATUSES = ['queued', 'running', 'retrying', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** The status of a run that has just been accepted. */
export const FIRST_STATUS: RunStatus = 'queued';

/** The possible outcomes of a call to the handler. */
export const ATTEMPT_OUTCOMES = [
  'completed',
  'failed',
  'timeout',
  'lost',
  'interrupted',
  'cancelled',
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

export type RunErrorCode =
  | 'handler_error'
  | 'handler_fatal'
  | 'timeout'
  | 'handler_unreachable'
  | 'handler_not_found'
  | 'signing_secret_missing'
  | 'worker_lost'
  | 'cancelled'
  | 'expired'
  | 'actor_not_allowed'
  | 'concurrency_limit';

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
  | 'attempt interrupted'
  | 'actor not allowed'
  | 'cancelled'
  | 'job deleted'
  | 'displaced'
  | 'not started in time';

export interface Transition {
  readonly from: RunStatus;
  readonly event: RunEvent;
  readonly to: RunStatus;
}

/**
 * Every transition that exists; no other happens. The statements of exchanges guard each one by the status that it starts
 * from, and what a worker writes about an attempt by the fence of its claim too; test/architecture/run-status.test.ts compares
 * them with this table. Other conditions on a status come from status-sql.ts.
 *
 * Handler errors, timeouts and network errors count as failures. Losses and shutdowns do not: they say nothing about
 * the handler and use up no retry.
 */
export const TRANSITIONS = [
  { from: 'queued', event: 'claimed', to: 'running' },
  { from: 'retrying', event: 'claimed', to: 'running' },
  { from: 'running', event: 'succeeded', to: 'completed' },
  { from: 'running', event: 'failed for good', to: 'failed' },
  { from: 'running', event: 'failed with retries left', to: 'retrying' },
  { from: 'running', event: 'failed without retries left', to: 'failed' },
  { from: 'running', event: 'worker lost', to: 'retrying' },
  { from: 'running', event: 'worker lost for the fifth time', to: 'failed' },
  { from: 'running', event: 'attempt interrupted', to: 'retrying' },
  { from: 'running', event: 'actor not allowed', to: 'cancelled' },
  { from: 'queued', event: 'cancelled', to: 'cancelled' },
  { from: 'retrying', event: 'cancelled', to: 'cancelled' },
  { from: 'running', event: 'cancelled', to: 'cancelled' },
  { from: 'queued', event: 'job deleted', to: 'cancelled' },
  { from: 'retrying', event: 'job deleted', to: 'cancelled' },
  { from: 'queued', event: 'displaced', to: 'cancelled' },
  { from: 'retrying', event: 'displaced', to: 'cancelled' },
  { from: 'running', event: 'displaced', to: 'cancelled' },
  { from: 'queued', event: 'not started in time', to: 'cancelled' },
] as const satisfies readonly Transition[];

export type FinalStatus = Exclude<RunStatus, (typeof TRANSITIONS)[number]['from']>;

export function isFinal(status: RunStatus): status is FinalStatus {
  return !TRANSITIONS.some(({ from }) => from === status);
}

/** The statuses that no transition leaves. */
export const FINAL_STATUSES: readonly FinalStatus[] = RUN_STATUSES.filter(isFinal);

/** Whether a worker owns a run with this status. */
export function isRunningStatus(status: RunStatus): boolean {
  return status === statusAfter('claimed');
}

/** The statuses in which at least one of the events can happen. */
export function statusesBefore(...events: readonly RunEvent[]): readonly RunStatus[] {
  return [...new Set(TRANSITIONS.filter(({ event }) => events.includes(event)).map(({ from }) => from))];
}

/** The status that the event leads to, which is the same from every status in which it can happen. */
export function statusAfter(event: RunEvent): RunStatus {
  const next = TRANSITIONS.find((transition) => transition.event === event)?.to;
  if (next === undefined) throw new Error(`the table of transitions has no row for "${event}"`);
  return next;
}

/**
 * The event that a failed attempt is for its run.
 *
 * @param failures how many attempts failed before this one
 * @param maxAttempts how many attempts may fail in total: `retries` + 1
 */
export function eventOfFailure(
  isRetryable: boolean,
  failures: number,
  maxAttempts: number,
): 'failed for good' | 'failed with retries left' | 'failed without retries left' {
  if (!isRetryable) return 'failed for good';
  return failures + 1 < maxAttempts ? 'failed with retries left' : 'failed without retries left';
}
