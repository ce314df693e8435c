import { Global, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { InjectMetric, makeCounterProvider } from '@willsoto/nestjs-prometheus';
import { Counter } from 'prom-client';
import type { Config } from '../config/index.js';
import type { SpanExporter } from './export/span-exporter.js';
import type { Span } from './span.js';
import { newSpanId, newTraceId, spanIdOf, traceIdOf } from './trace-context.js';
import type { TraceContext } from './trace-context.js';

export const SPANS_TOTAL = 'service_telemetry_spans_total';

/** Records spans, and sends them to a collector. Without `telemetry.otlp_url`, it is off: nobody asks it for anything. */
export class Tracing {
  private constructor(
    private readonly sampleRatio: number,
    private readonly exporter: SpanExporter | null,
  ) {}

  /** @param version of the program */
  static async start(
    { telemetry, timing }: Pick<Config, 'telemetry' | 'timing'>,
    version: string,
  ): Promise<Tracing> {
    if (telemetry.otlpUrl === null) return new Tracing(telemetry.sampleRatio, null);
    // Loaded only now, so that a program without a collector is none the larger.
    const { SpanExporter } = await import('./export/span-exporter.js');
    return new Tracing(
      telemetry.sampleRatio,
      SpanExporter.start({ ...telemetry, otlpUrl: telemetry.otlpUrl }, timing.telemetry, version),
    );
  }

  get isOn(): boolean {
    return this.exporter !== null;
  }

  /** Sends the span, unless its trace is not recorded. */
  record(span: Span): void {
    if (span.context.isSampled) this.exporter?.add(span);
  }

  /** The first span of a new trace. */
  newTrace(): TraceContext {
    const traceId = newTraceId();
    return { traceId, spanId: newSpanId(), isSampled: this.isSampled(traceId) };
  }

  /** The first span of the trace of what has this id: the same in every process. */
  traceOf(id: string): TraceContext {
    const traceId = traceIdOf(id);
    return { traceId, spanId: spanIdOf(id, 'trigger'), isSampled: this.isSampled(traceId) };
  }

  /** @param counter counts the spans by `outcome`: `exported`, `refused` or `dropped` */
  countWith(counter: Counter): void {
    this.exporter?.countWith((outcome, spans) => {
      counter.inc({ outcome }, spans);
    });
  }

  /** Sends what is there within the time, and drops the rest. */
  async stop(limitMs: number): Promise<void> {
    await this.exporter?.stop(limitMs);
  }

  /** Decided by the trace's id, so that all instances record the same traces. */
  private isSampled(traceId: string): boolean {
    return Number.parseInt(traceId.slice(-8), 16) < this.sampleRatio * 2 ** 32;
  }
}

@Global()
@Module({})
export class TracingModule {
  constructor(@InjectMetric(SPANS_TOTAL) counter: Counter, tracing: Tracing) {
    tracing.countWith(counter);
  }

  static register(tracing: Tracing): DynamicModule {
    return {
      module: TracingModule,
      providers: [
        { provide: Tracing, useValue: tracing },
        makeCounterProvider({
          name: SPANS_TOTAL,
          help: 'Spans that ended, by what became of them.',
          labelNames: ['outcome'],
        }),
      ],
      exports: [Tracing],
    };
  }
}
