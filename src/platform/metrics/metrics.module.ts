import { Global, Module } from '@nestjs/common';
import { makeCounterProvider, makeHistogramProvider } from '@willsoto/nestjs-prometheus';
import { HttpMetrics, HTTP_DURATION, RefusalMetrics, REFUSALS } from './http-metrics.js';

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
