import { ServiceError } from '../service-error.js';
import type { Problem } from '../service-error.js';
import { parseRetryAfter } from './retry-after.js';

interface ErrorBody {
  error: { code: string; message: string; hint?: string; details?: Problem[] };
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

function isJson(response: Response): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '');
}

/** The body of an answer: JSON, text, or undefined where there is none. */
export async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  if (!isJson(response)) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unexpected(response, 'The answer claims to be JSON and is not.', error);
  }
}

/** The refusal that an answer carries. */
export async function readError(response: Response): Promise<ServiceError> {
  const body = await readBody(response).catch(() => undefined);
  if (!isErrorBody(body))
    return unexpected(response, `The answer was ${response.status}, and not the service's.`);
  const { code, message, hint, details } = body.error;
  return new ServiceError({ code, message, hint, details, ...factsOf(response) });
}

/** The failure of a call that no answer came to. */
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
