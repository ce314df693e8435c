import type { TraceContext } from './trace-context.js';

/** https://opentelemetry.io/docs/specs/otel/trace/api/#spankind */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** What is null is left out. Never a payload, a credential, or the address of a person. */
export type SpanAttributes = Readonly<Record<string, string | number | null>>;

/** A span that has ended. Instants are milliseconds since the epoch, with fractions. */
export interface Span {
  readonly context: TraceContext;
  /** Null for the first span of a trace. */
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: SpanAttributes;
  readonly hasFailed: boolean;
}

/** Takes ended spans. It neither throws nor waits. */
export interface SpanSink {
  add(span: Span): void;
}

/** Now, finer than a millisecond. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}
