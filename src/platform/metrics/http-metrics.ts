import { Global, Module, Injectable } from '@nestjs/common';
import { makeCounterProvider, makeHistogramProvider, InjectMetric } from '@willsoto/nestjs-prometheus';
import { Counter, Histogram } from 'prom-client';

export const HTTP_DURATION = 'service_http_request_duration_seconds';

@Injectable()
export class HttpMetrics {
  constructor(@InjectMetric(HTTP_DURATION) private readonly duration: Histogram) {}

  /** @param route the route's template, never the path that was asked for: its values are without bound */
  answered(method: string, route: string, status: number, seconds: number): void {
    this.duration.observe({ method, route, status: String(status) }, seconds);
  }
}

export const REFUSALS = 'service_refusals_total';

/** Answers that keep somebody off, by code. */
@Injectable()
export class RefusalMetrics {
  private readonly codes = new Set<string>();

  constructor(@InjectMetric(REFUSALS) private readonly refusals: Counter) {}

  /** From here on these codes are counted, from 0, and no others. */
  expect(codes: readonly string[]): void {
    for (const code of codes) {
      this.codes.add(code);
      this.refusals.inc({ code }, 0);
    }
  }

  refused(code: string): void {
    if (this.codes.has(code)) this.refusals.inc({ code });
  }
}

@Global()
@Module({
  providers: [
    makeHistogramProvider({
      name: HTTP_DURATION,
      help: 'Time to answer a request, by route template.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    }),
    makeCounterProvider({
      name: REFUSALS,
      help: 'Requests refused for a limit, a policy, their size or the time they take, by error code.',
      labelNames: ['code'],
    }),
    HttpMetrics,
    RefusalMetrics,
  ],
  exports: [HttpMetrics, RefusalMetrics],
})
export class MetricsModule {}
