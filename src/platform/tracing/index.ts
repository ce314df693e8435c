export { collectorRequest } from './collector-request.js';
export type { Collector } from './collector-request.js';
export { RequestTrace } from './request-trace.js';
export { preciseNow } from './span.js';
export type { SpanAttributes } from './span.js';
export { formatTraceParent, newSpanId, parseTraceParent, spanIdOf, traceIdOf } from './trace-context.js';
export type { TraceContext } from './trace-context.js';
export { keptTrace, traceHeadersOf } from './trace-headers.js';
export { Tracing, TracingModule } from './tracing.js';
