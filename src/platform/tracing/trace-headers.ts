import { formatTraceParent, parseTraceParent } from './trace-context.js';
import { parseTraceState } from './trace-state.js';

/** The headers by which a trace goes on from a caller to what its request sets going. */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/**
 * Both headers of a request as one text, `traceparent` and, after a space, `tracestate`: what a run keeps of its trace.
 * The first is in the version that this program writes: of a later one it knows neither the flags nor what follows them.
 * Returns null if there is no valid `traceparent`; a `tracestate` that is not valid is left out.
 */
export function keptTrace(headers: Readonly<Record<string, string | string[] | undefined>>): string | null {
  const { traceparent, tracestate } = headers;
  const parent = parseTraceParent(typeof traceparent === 'string' ? traceparent : null);
  if (parent === null) return null;
  return withTraceState(
    formatTraceParent(parent),
    typeof tracestate === 'string' ? parseTraceState(tracestate) : null,
  );
}

export function withTraceState(traceParent: string, traceState: string | null): string {
  return traceState === null ? traceParent : `${traceParent} ${traceState}`;
}

/** The headers that were kept as one text. */
export function traceHeadersOf(kept: string): TraceHeaders {
  const end = kept.indexOf(' ');
  return end === -1
    ? { traceparent: kept }
    : { traceparent: kept.slice(0, end), tracestate: kept.slice(end + 1) };
}
