import { newSpanId, parseTraceParent, formatTraceParent } from './trace-context.js';
import type { TraceContext } from './trace-context.js';
import type { Tracing } from './tracing.js';

/** The span of a request, while it is being answered. */
export class RequestTrace {
  private constructor(
    private place: TraceContext,
    private parent: TraceContext | null,
  ) {}

  /** @param header the caller's `traceparent`, whose trace goes on; null begins one */
  static begin(tracing: Tracing, header: string | null): RequestTrace {
    const parent = parseTraceParent(header);
    return parent === null
      ? new RequestTrace(tracing.newTrace(), null)
      : new RequestTrace({ ...parent, spanId: newSpanId() }, parent);
  }

  get context(): TraceContext {
    return this.place;
  }

  get parentSpanId(): string | null {
    return this.parent?.spanId ?? null;
  }

  /** What the request sets going continues from here. */
  get traceParent(): string {
    return formatTraceParent(this.place);
  }

  /** Moves the request into the trace of its cause, once that is known. A caller's own `traceparent` says it better. */
  follow(cause: TraceContext): void {
    if (this.parent !== null) return;
    this.parent = cause;
    this.place = { ...cause, spanId: this.place.spanId };
  }
}
