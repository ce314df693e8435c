import { Logger } from '@nestjs/common';
import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import { OutboundClient } from '../../outbound/index.js';
import type { Config } from '../../config/index.js';
import { collectorRequest } from '../collector-request.js';
import type { Collector } from '../collector-request.js';
import type { Span, SpanAttributes, SpanSink } from '../span.js';
import { rejectedSpans } from './export-response.js';
import { exportRequest } from './otlp-message.js';

/** What became of spans: taken by the collector, refused by it, or never sent. */
export type SpanOutcome = 'exported' | 'refused' | 'dropped';

type Target = Collector & Pick<Config['telemetry'], 'serviceName'>;

const BATCH = 512;
/** Spans that wait while the collector is away, about a kilobyte each. Later ones are dropped. */
const MAX_QUEUED = 4096;
/** A batch that failed this often makes room for newer spans. */
const TRIES = 5;
/** The statuses after which the same request may succeed (https://opentelemetry.io/docs/specs/otlp/#failures-1). */
const PASSING = new Set([429, 502, 503, 504]);

interface Delivery {
  /** Null when the collector has taken them all. */
  readonly problem: string | null;
  readonly refused: number;
  readonly mayBeRepeated: boolean;
}

/**
 * Sends spans to a collector by OTLP over HTTP, in batches, one request at a time. Nobody waits for it: where the
 * collector is slow or away, spans are dropped and counted.
 */
export class SpanExporter implements SpanSink {
  private readonly logger = new Logger('Telemetry');
  private readonly outbound = new OutboundClient();
  private readonly abort = new AbortController();
  private readonly resource: SpanAttributes;
  private readonly host: string;
  private readonly running: Promise<void>;
  private readonly queue: Span[] = [];
  private count: (outcome: SpanOutcome, spans: number) => void = () => undefined;
  /** Ends the pause of the loop. */
  private wake: () => void = () => undefined;
  private isPausedForFailure = false;
  private isStopping = false;
  /** Spans that were lost since the collector last took some; null while it takes them. */
  private lost: number | null = null;

  private constructor(
    private readonly target: Target,
    private readonly timing: Config['timing']['telemetry'],
    private readonly version: string,
  ) {
    this.host = new URL(target.otlpUrl).host;
    this.resource = {
      'service.name': target.serviceName,
      'service.version': version,
      'service.instance.id': randomUUID(),
      'host.name': hostname(),
      'process.pid': process.pid,
    };
    this.running = this.run();
  }

  static start(target: Target, timing: Config['timing']['telemetry'], version: string): SpanExporter {
    return new SpanExporter(target, timing, version);
  }

  countWith(count: (outcome: SpanOutcome, spans: number) => void): void {
    this.count = count;
    for (const outcome of ['exported', 'refused', 'dropped'] as const) count(outcome, 0);
  }

  add(span: Span): void {
    if (this.queue.length >= MAX_QUEUED || this.isStopping) {
      this.lose('dropped', 1);
      return;
    }
    this.queue.push(span);
    if (this.queue.length === BATCH && !this.isPausedForFailure) this.wake();
  }

  async stop(limitMs: number): Promise<void> {
    this.isStopping = true;
    this.wake();
    const deadline = setTimeout(() => {
      this.abort.abort();
    }, limitMs);
    await this.running;
    clearTimeout(deadline);
    this.outbound.onApplicationShutdown();
  }

  /** Runs for as long as the program, outside of every request, whose id would else stand in the log lines. */
  private async run(): Promise<void> {
    let failures = 0;
    let tries = 0;
    while (!this.isStopping || this.queue.length > 0) {
      if (!this.isStopping && (failures > 0 || this.queue.length < BATCH)) await this.pause(failures);
      const batch = this.queue.slice(0, BATCH);
      if (batch.length === 0) continue;
      const { problem, refused, mayBeRepeated } = await this.send(batch);
      failures = problem === null ? 0 : failures + 1;
      tries += 1;
      const isKept = mayBeRepeated && tries < TRIES && !this.isStopping;
      // Reported first, so that what is lost now is counted with the failure.
      this.report(problem);
      if (isKept) continue;
      tries = 0;
      this.queue.splice(0, batch.length);
      if (mayBeRepeated) this.lose('dropped', batch.length);
      else {
        this.lose('refused', refused);
        this.count('exported', batch.length - refused);
      }
      if (this.isStopping && problem !== null) this.lose('dropped', this.queue.splice(0).length);
    }
  }

  /** Until the next request is due, or the program stops. */
  private async pause(failures: number): Promise<void> {
    const { intervalMs, firstBackoffMs, longestBackoffMs } = this.timing;
    const milliseconds =
      failures === 0 ? intervalMs : Math.min(firstBackoffMs * 2 ** (failures - 1), longestBackoffMs);
    this.isPausedForFailure = failures > 0;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      timer.unref();
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.isPausedForFailure = false;
  }

  private async send(batch: readonly Span[]): Promise<Delivery> {
    try {
      const { status, body } = await this.outbound.post({
        ...collectorRequest(this.target, exportRequest(batch, this.resource, this.version)),
        timeoutMs: this.timing.requestLimitMs,
        signal: this.abort.signal,
      });
      if (status < 200 || status > 299)
        return { problem: `it answers ${status}`, refused: batch.length, mayBeRepeated: PASSING.has(status) };
      const refused = Math.min(rejectedSpans(body), batch.length);
      const problem = refused > 0 ? 'it rejects some of them' : null;
      return { problem, refused, mayBeRepeated: false };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { problem: reason, refused: 0, mayBeRepeated: true };
    }
  }

  /** One line when the collector stops to take spans, and one when it takes them again. */
  private report(problem: string | null): void {
    const { host } = this;
    if (problem !== null && this.lost === null) {
      this.lost = 0;
      this.logger.warn(`the collector at ${host} does not take spans: ${problem}; see telemetry.otlp_url`);
    } else if (problem === null && this.lost !== null) {
      this.logger.log(`the collector at ${host} takes spans again; ${this.lost} were lost meanwhile`);
      this.lost = null;
    }
  }

  private lose(outcome: 'refused' | 'dropped', spans: number): void {
    if (spans === 0) return;
    this.count(outcome, spans);
    if (this.lost !== null) this.lost += spans;
  }
}
