import { ServiceError } from '../service-error.js';
import type { Problem, SignInChallenge, SignInEnrolment } from '../service-error.js';
import { parseRetryAfter } from './retry-after.js';

interface ErrorBody {
  error: {
    code: string;
    message: string;
    hint?: string;
    details?: Problem[];
    challenge?: SignInChallenge;
    enrolment?: SignInEnrolment;
  };
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false;
  const { error } = body;
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string' &&
    'message' in error &&
    typeof error.message === 'string'
  );
}

/**
 * A browser shows nothing of a redirect except that it is one
 * (https://fetch.spec.whatwg.org/#concept-filtered-response-opaque-redirect).
 */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

function isJson(response: Response): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '');
}

const NO_CONTENT = 204;

const texts = new WeakMap<object, string>();

/**
 * The JSON text that an answer was read from, with all digits of its numbers. JavaScript keeps at most 17 of them.
 * @param answer an object exactly as a call returned it; not a part of it, and not a copy
 */
export function jsonTextOf(answer: object): string | undefined {
  return texts.get(answer);
}

/** The JSON of an answer; undefined if it has none. @throws ServiceError `unexpected_answer` */
export async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  if (response.status === NO_CONTENT) return undefined;
  if (!isJson(response))
    throw unexpected(response, 'The response is not JSON, so it did not come from the service.');
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) texts.set(body, text);
    return body;
  } catch (error) {
    throw unexpected(response, 'The answer claims to be JSON and is not.', error);
  }
}

/** The body of an answer that has this media type. @throws ServiceError `unexpected_answer` */
export function ofType(type: string, response: Response): Response {
  if (response.headers.get('content-type')?.toLowerCase().startsWith(type) === true) return response;
  response.body?.cancel().catch(() => undefined);
  throw unexpected(response, `The answer is not ${type}, and so not the service’s.`);
}

/** The error that an answer contains. */
export async function readError(response: Response): Promise<ServiceError> {
  if (isRedirect(response))
    return unexpected(response, 'The address redirects; name the one that it leads to.');
  const body = await readBody(response).catch(() => undefined);
  if (!isErrorBody(body))
    return unexpected(response, `The answer was ${response.status}, and not the service's.`);
  const { code, message, hint, details, challenge, enrolment } = body.error;
  return new ServiceError({ code, message, hint, details, challenge, enrolment, ...factsOf(response) });
}

/** The failure of a call that got no answer. */
export function networkError(url: string, cause: unknown): ServiceError {
  return new ServiceError({
    code: 'network_error',
    message: `${new URL(url).origin} could not be reached.`,
    status: 0,
    cause,
  });
}

function unexpected(response: Response, message: string, cause?: unknown): ServiceError {
  return new ServiceError({ code: 'unexpected_answer', message, cause, ...factsOf(response) });
}

function factsOf(response: Response): Pick<ServiceError, 'status' | 'requestId' | 'retryAfterMs'> {
  return {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after'), Date.now()),
  };
}
