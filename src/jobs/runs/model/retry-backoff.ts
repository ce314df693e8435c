/** How long to wait between attempts: the manifest's `retry_backoff`. */
export interface RetryBackoff {
  readonly type: 'exponential';
  readonly initial_ms: number;
  readonly max_ms: number;
  readonly multiplier: number;
  /** The largest fraction (0–1) of a delay that randomness may remove. */
  readonly jitter: number;
}

/** How failed attempts are retried. A job has it as `retry_backoff`, and each of its runs a copy. */
export interface RetryPolicy extends RetryBackoff {
  /** The statuses of answers that are retried: the manifest's `retry_on`. Absent, all are but 2xx and 422. */
  readonly statuses?: readonly number[];
}

/** The backoff of a job without `retry_backoff` (contract section 7). */
export const DEFAULT_BACKOFF: RetryBackoff = {
  type: 'exponential',
  initial_ms: 1000,
  max_ms: 60_000,
  multiplier: 2,
  jitter: 0,
};

/**
 * Milliseconds to wait before retry `k`, counted from 1: initial × multiplier^(k−1), but at least what the handler
 * asked for, and never more than `max_ms`.
 *
 * @param retryAfterMs the handler's `Retry-After`, or null
 * @param chance from 0 to 1: how much of the jitter to apply
 */
export function retryDelayMs(
  backoff: RetryBackoff,
  k: number,
  retryAfterMs: number | null,
  chance: number,
): number {
  // The power may overflow to Infinity. A finite factor keeps 0 × Infinity from becoming NaN.
  const factor = Math.min(backoff.multiplier ** (k - 1), Number.MAX_VALUE);
  const grown = Math.min(backoff.initial_ms * factor, backoff.max_ms);
  const shortened = grown * (1 - backoff.jitter * chance);
  return Math.round(Math.min(Math.max(shortened, retryAfterMs ?? 0), backoff.max_ms));
}
