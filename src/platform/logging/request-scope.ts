import { AsyncLocalStorage } from 'node:async_hooks';

/** What every log line of a request carries. */
export interface RequestScope {
  readonly requestId: string;
  /** The caller's W3C trace context, passed on to handlers (https://www.w3.org/TR/trace-context/). */
  readonly traceParent: string | null;
}

export const requestScope = new AsyncLocalStorage<RequestScope>();
