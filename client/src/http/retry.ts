import { ServiceError } from '../service-error.js';

/** RFC 9110, 9.2.2. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** Refusals that may pass: too many, a gateway without an answer, overload or shutdown. */
const PASSING = new Set([429, 502, 503, 504]);

const FIRST_DELAY_MS = 200;
/** A service that asks for more is not waited for: the caller decides. */
const MAX_DELAY_MS = 30_000;

/** Whether doing it twice is like doing it once: by the method, or since the service tells repetitions by a key. */
export function isIdempotent(method: string, headers: Readonly<Record<string, string>>): boolean {
  return IDEMPOTENT.has(method) || 'Idempotency-Key' in headers;
}

/**
 * Whether a caller that waits for something in the service should keep waiting. A refusal is final; a lost connection
 * is not.
 */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return !(error instanceof SyntaxError);
  const { code, status } = error;
  return code === 'network_error' || code === 'timeout' || status === 429 || status >= 500;
}

/**
 * How long to wait before the next try, milliseconds; null when there is none.
 * @param triesLeft after the one that failed
 * @param chance 0 to 1: spreads callers that failed together
 */
export function retryDelay(
  error: ServiceError,
  tryNumber: number,
  triesLeft: number,
  chance: number,
): number | null {
  const isPassing = error.code === 'network_error' || PASSING.has(error.status);
  if (!isPassing || triesLeft <= 0) return null;
  const backoff = FIRST_DELAY_MS * 2 ** (tryNumber - 1) * (0.5 + chance / 2);
  const delay = Math.max(backoff, error.retryAfterMs ?? 0);
  return delay <= MAX_DELAY_MS ? delay : null;
}
