import { createHash, randomBytes } from 'node:crypto';

/** A span's context: its trace, its own id, and whether the trace is recorded. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** Version ff is forbidden. What a later version appends is after another hyphen, and is not ours to read. */
const TRACE_PARENT =
  /^(?:00-(?=.{52}$)|(?!00|ff)[0-9a-f]{2}-)(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;
/** The flag that says that the trace is recorded. */
const SAMPLED = 1;

/** Reads a `traceparent` (https://www.w3.org/TR/trace-context/#traceparent-header). Returns null if it is none. */
export function parseTraceParent(header: string | null): TraceContext | null {
  const [, traceId, spanId, flags] = TRACE_PARENT.exec(header ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export function formatTraceParent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

export function newTraceId(): string {
  return randomBytes(16).toString('hex');
}

export function newSpanId(): string {
  return randomBytes(8).toString('hex');
}

/** The trace of what has this id, so that every process finds the same one. */
export function traceIdOf(id: string): string {
  return digest(id).slice(0, 32);
}

/** The span of a part of what has this id, so that a process can name a span that another one records. */
export function spanIdOf(id: string, part: string | number): string {
  return digest(`${id} ${part}`).slice(0, 16);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
