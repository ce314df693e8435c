import type { Span, SpanAttributes, SpanKind } from '../span.js';
import { MessageWriter } from './message-writer.js';

/*
 * The numbers of fields and values are those of opentelemetry/proto/{collector/trace,trace,common,resource}/v1
 * (https://github.com/open-telemetry/opentelemetry-proto).
 */

const KINDS: Readonly<Record<SpanKind, number>> = {
  internal: 1,
  server: 2,
  client: 3,
  producer: 4,
  consumer: 5,
};
const STATUS_ERROR = 2;
/** The flag of a recorded trace. */
const SAMPLED = 1;

/** Names and texts of tenants have bounds of their own; this keeps a span small whatever they are. Characters. */
const MAX_TEXT = 256;

/** An `ExportTraceServiceRequest`. `resource` describes this process. */
export function exportRequest(spans: readonly Span[], resource: SpanAttributes, version: string): Buffer {
  const writer = new MessageWriter();
  writer.message(1, () => {
    writer.message(1, () => {
      writeAttributes(writer, 1, resource);
    });
    writer.message(2, () => {
      writer.message(1, () => {
        writer.text(1, 'service');
        writer.text(2, version);
      });
      for (const span of spans)
        writer.message(2, () => {
          writeSpan(writer, span);
        });
    });
  });
  return writer.finish();
}

function writeSpan(writer: MessageWriter, span: Span): void {
  writer.bytes(1, span.context.traceId);
  writer.bytes(2, span.context.spanId);
  if (span.parentSpanId !== null) writer.bytes(4, span.parentSpanId);
  writer.text(5, span.name.slice(0, MAX_TEXT));
  writer.integer(6, KINDS[span.kind]);
  writer.fixed64(7, nanoseconds(span.startedAt));
  // Two clocks may have told them.
  writer.fixed64(8, nanoseconds(Math.max(span.endedAt, span.startedAt)));
  writeAttributes(writer, 9, span.attributes);
  if (span.hasFailed)
    writer.message(15, () => {
      writer.integer(3, STATUS_ERROR);
    });
  writer.fixed32(16, SAMPLED);
}

function writeAttributes(writer: MessageWriter, field: number, attributes: SpanAttributes): void {
  for (const [key, value] of Object.entries(attributes))
    if (value !== null)
      writer.message(field, () => {
        writer.text(1, key);
        writer.message(2, () => {
          if (typeof value === 'string') writer.text(1, value.slice(0, MAX_TEXT));
          else if (Number.isSafeInteger(value) && value >= 0) writer.integer(3, value);
          else writer.double(4, value);
        });
      });
}

/** A Number holds no instant in nanoseconds. */
function nanoseconds(milliseconds: number): bigint {
  return BigInt(Math.round(milliseconds * 1000)) * 1000n;
}
