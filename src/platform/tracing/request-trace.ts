import { newSpanId, parseTraceParent, formatTraceParent } from './trace-context.js';
import type { TraceContext } from './trace-context.js';
import { traceHeadersOf, withTraceState } from './trace-headers.js';
import type { Tracing } from './tracing.js';

/** The span of a request, while it is being answered. */
export class RequestTrace {
  private constructor(
    private current: TraceContext,
    private parent: TraceContext | null,
    private readonly traceState: string | null,
  ) {}

  /** @param caller the caller's headers as one text, whose trace goes on; null begins one */
  static begin(tracing: Tracing, caller: string | null): RequestTrace {
    const { traceparent = null, tracestate = null } = caller === null ? {} : traceHeadersOf(caller);
    const parent = parseTraceParent(traceparent);
    return parent === null
      ? new RequestTrace(tracing.newTrace(), null, null)
      : new RequestTrace({ ...parent, spanId: newSpanId() }, parent, tracestate);
  }

  get context(): TraceContext {
    return this.current;
  }

  get parentSpanId(): string | null {
    return this.parent?.spanId ?? null;
  }

  /** What the request sets going continues from here. */
  get traceParent(): string {
    return withTraceState(formatTraceParent(this.current), this.traceState);
  }

  /** Moves the request into the trace of what it reports on, once that is known. A caller's own `traceparent` takes precedence. */
  follow(parent: TraceContext): void {
    if (this.parent !== null) return;
    this.parent = parent;
    this.current = { ...parent, spanId: this.current.spanId };
  }
}
