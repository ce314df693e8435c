import fc from 'fast-check';
import { SpanExporter } from '../../../src/platform/tracing/export/span-exporter.js';
import { newSpanId, newTraceId } from '../../../src/platform/tracing/trace-context.js';
import type { Span } from '../../../src/platform/tracing/span.js';
import { OtlpCollector } from '../../support/otlp-collector.js';
import { until } from '../../support/until.js';
import { loadConfig } from '../../../src/platform/config/index.js';

const NOW = 1_800_000_000_000.25;

function spanOf(fields: Partial<Span> = {}): Span {
  const context = { traceId: newTraceId(), spanId: newSpanId(), isSampled: true };
  const times = { startedAt: NOW, endedAt: NOW + 1.5 };
  return {
    context,
    parentSpanId: null,
    name: 'work',
    kind: 'internal',
    ...times,
    attributes: {},
    hasFailed: false,
    ...fields,
  };
}

describe('the exporter of spans', () => {
  let collector: OtlpCollector;
  let counted: Record<string, number>;

  beforeEach(async () => {
    collector = await OtlpCollector.start();
    counted = {};
  });

  afterEach(async () => {
    await collector.stop();
  });

  function start(): SpanExporter {
    const exporter = SpanExporter.start(
      { otlpUrl: collector.url, otlpHeaders: null, serviceName: 'unit' },
      loadConfig({ env: {}, cwd: '/' }).timing.telemetry,
      '1.2.3',
    );
    exporter.countWith((outcome, spans) => {
      counted[outcome] = (counted[outcome] ?? 0) + spans;
    });
    return exporter;
  }

  it('writes whatever a span has as the decoder of OpenTelemetry reads it', async () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 250 }).map((text) => text.toWellFormed()),
      fc.nat(),
      fc.maxSafeNat(),
      fc.integer({ max: -1 }),
      fc.double({ noNaN: true, noInteger: true }),
    );
    const attributes = fc.dictionary(fc.string({ minLength: 1, maxLength: 40 }), value, {
      noNullPrototype: true,
    });
    const samples = fc.sample(
      fc.tuple(attributes, fc.constantFrom('server', 'client', 'producer'), fc.boolean()),
      {
        numRuns: 300,
        seed: 17,
      },
    );
    const sent = samples.map(([attributes, kind, hasFailed]) =>
      spanOf({
        attributes,
        kind,
        hasFailed,
        parentSpanId: hasFailed ? newSpanId() : null,
        name: `über ${kind}`,
      }),
    );
    const exporter = start();
    for (const span of sent) exporter.add(span);
    await exporter.stop(60_000);
    expect(collector.spans).toHaveLength(sent.length);
    for (const [place, span] of sent.entries()) {
      const received = collector.spans[place];
      const { traceId, spanId } = span.context;
      const { parentSpanId, hasFailed, attributes, name } = span;
      expect(received).toMatchObject({ traceId, spanId, parentSpanId, hasFailed, name });
      expect(received?.attributes).toEqual(attributes);
      expect([received?.startedAt, received?.endedAt]).toEqual([
        1_800_000_000_000_250_000n,
        1_800_000_000_001_750_000n,
      ]);
    }
    expect(counted).toEqual({ exported: sent.length, refused: 0, dropped: 0 });
  });

  it('keeps a bounded number of spans for a collector that hangs, and counts the others', async () => {
    collector.answer = null;
    const exporter = start();
    for (let spans = 0; spans < 20_000; spans += 1) exporter.add(spanOf());
    await until(() => collector.requests.length === 1);
    expect(counted.dropped).toBe(20_000 - 4096);
    await exporter.stop(50);
    expect(counted).toEqual({ exported: 0, refused: 0, dropped: 20_000 });
  });

  it('cuts long texts, so that a span stays small', async () => {
    const exporter = start();
    exporter.add(spanOf({ name: 'n'.repeat(10_000), attributes: { 'service.handler': 'h'.repeat(10_000) } }));
    await exporter.stop(60_000);
    expect(collector.requests[0]?.bytes).toBeLessThan(2000);
  });

  it('sends full batches without a pause, one request at a time', async () => {
    const exporter = start();
    for (let spans = 0; spans < 2000; spans += 1) exporter.add(spanOf());
    await exporter.stop(60_000);
    expect(collector.spans).toHaveLength(2000);
    expect(collector.requests).toHaveLength(Math.ceil(2000 / 512));
  });
});
