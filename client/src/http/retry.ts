import { ServiceError } from '../service-error.js';

/** RFC 9110, 9.2.2. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** Errors that may be temporary: too many requests, a gateway without an answer, overload or shutdown. */
const PASSING = new Set([429, 502, 503, 504]);

const FIRST_DELAY_MS = 200;
/** If the service asks for a longer delay, the caller decides. */
const MAX_DELAY_MS = 30_000;

/** Whether a call is idempotent: because of its method, or because the service recognizes a repetition by a key. */
export function isIdempotent(method: string, headers: Readonly<Record<string, string>>): boolean {
  return IDEMPOTENT.has(method) || 'Idempotency-Key' in headers;
}

/** Whether to keep waiting for something in the service. Errors of the service are final; a lost connection is not. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return !(error instanceof SyntaxError);
  const { code, status } = error;
  return code === 'network_error' || code === 'timeout' || status === 429 || status >= 500;
}

/**
 * How long to wait before the next try, in milliseconds; null for no other try.
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
