import { ServiceError } from '../service-error.js';

export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** As whom a call is made: the signed-in user, nobody, or the deployment's operator. */
export type Caller = 'caller' | 'nobody' | 'operator';

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

type Scalar = string | number | boolean;
export type Query = Readonly<Record<string, Scalar | readonly Scalar[] | null | undefined>>;

/** One operation of the service, as its OpenAPI document names it. */
export interface Call extends CallOptions {
  readonly method: Verb;
  /** The path, with `{names}` for the values in `parameters`. */
  readonly path: string;
  readonly as?: Caller | undefined;
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly query?: Query | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  /** The call may be repeated, whatever its method: the service recognizes a repetition by its body. */
  readonly repeatable?: boolean | undefined;
  /** The call is never repeated, whatever its method. */
  readonly once?: boolean | undefined;
  /** Sends the body as a form instead of JSON. */
  readonly form?: boolean | undefined;
  /** A body that is sent unchanged, instead of `body`. */
  readonly raw?: string | undefined;
}

/** The path parameter that extends to the end of the path, slashes included. */
const REST = 'path';

/**
 * Segments that a URL parser removes or resolves (https://url.spec.whatwg.org/#single-dot-path-segment), so they cannot
 * be names.
 */
const NO_NAMES = new Set(['', '.', '..']);

/** The URL of a call below the service's own. @throws ServiceError `invalid_argument` if it would be another's */
export function urlOf(base: string, { path, parameters = {}, query = {} }: Call): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name] ?? '';
    const parts = name === REST ? value.split('/') : [value];
    if (parts.some((part) => NO_NAMES.has(part))) throw unnamed(name, value);
    return parts.map(encodeURIComponent).join('/');
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value == null) continue;
    for (const one of Array.isArray(value) ? (value as readonly Scalar[]) : [value as Scalar])
      search.append(name, String(one));
  }
  const text = search.toString();
  return `${base}${filled}${text === '' ? '' : `?${text}`}`;
}

function unnamed(name: string, value: string): ServiceError {
  return new ServiceError({
    code: 'invalid_argument',
    message: `Nothing can be named ${JSON.stringify(value)} (${name}).`,
    status: 0,
  });
}
