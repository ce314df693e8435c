/** How long to wait between attempts: the manifest's `retry_backoff`. */
export interface RetryBackoff {
  readonly type: 'exponential';
  readonly initial_ms: number;
  readonly max_ms: number;
  readonly multiplier: number;
  /** The part (0–1) by which chance may shorten a delay. */
  readonly jitter: number;
}

/** What a job without `retry_backoff` gets (contract section 7). */
export const DEFAULT_BACKOFF: RetryBackoff = {
  type: 'exponential',
  initial_ms: 1000,
  max_ms: 60_000,
  multiplier: 2,
  jitter: 0,
};

/**
 * Milliseconds to wait before retry `k`, the first being 1: initial × multiplier^(k−1), never over `max_ms`,
 * and no sooner than the handler asked for within that.
 *
 * @param retryAfterMs what the handler's `Retry-After` asked for, or null
 * @param chance from 0 to 1; how much of the jitter to take
 */
export function retryDelayMs(
  backoff: RetryBackoff,
  k: number,
  retryAfterMs: number | null,
  chance: number,
): number {
  // 2^60 milliseconds is no delay but an overflow to come; a finite factor keeps 0 × Infinity from being NaN.
  const factor = Math.min(backoff.multiplier ** (k - 1), Number.MAX_VALUE);
  const grown = Math.min(backoff.initial_ms * factor, backoff.max_ms);
  const shortened = grown * (1 - backoff.jitter * chance);
  return Math.round(Math.min(Math.max(shortened, retryAfterMs ?? 0), backoff.max_ms));
}
