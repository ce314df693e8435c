import { ServiceError } from '../service-error.js';

export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who makes a call: the signed-in user, nobody, or the deployment's operator. */
export type Caller = 'caller' | 'nobody' | 'operator';

/** What every call takes. */
export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

type Scalar = string | number | boolean;
export type Query = Readonly<Record<string, Scalar | readonly Scalar[] | null | undefined>>;

/** One operation of the service, as its OpenAPI document names it. */
export interface Call extends CallOptions {
  readonly method: Verb;
  /** With `{names}` in place of what `parameters` has. */
  readonly path: string;
  readonly as?: Caller | undefined;
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly query?: Query | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  /** May be tried again, whatever its method: the service knows a repetition by its body. */
  readonly repeatable?: boolean | undefined;
  /** Never tried again, whatever its method. */
  readonly once?: boolean | undefined;
  /** Sends the body as a form in place of JSON. */
  readonly form?: boolean | undefined;
  /** A body that is sent as it is, in place of `body`. */
  readonly raw?: string | undefined;
}

/** The name of a path parameter that goes on to the path's end, slashes and all. */
const REST = 'path';

/** What an address takes away or climbs by (https://url.spec.whatwg.org/#single-dot-path-segment): no name of a thing. */
const NO_NAMES = new Set(['', '.', '..']);

/** The address of a call under the service's own. @throws ServiceError `invalid_argument`: it would be another's */
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
