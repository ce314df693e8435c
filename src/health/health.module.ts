import { Module } from '@nestjs/common';
import { PrometheusModule } from '@willsoto/nestjs-prometheus';
import type { PrometheusOptionsFactory, PrometheusOptions } from '@willsoto/nestjs-prometheus';
import { IdentityCoreModule } from '../identity/index.js';
import { JobsModule } from '../jobs/index.js';
import { SchedulerModule } from '../scheduler/index.js';
import { HealthController } from './health.controller.js';
import { Health } from './health.js';
import { MetricsController } from './metrics.controller.js';

class MetricsOptions implements PrometheusOptionsFactory {
  createPrometheusOptions(): PrometheusOptions {
    return { path: '/metrics', defaultMetrics: { enabled: true } };
  }
}

@Module({
  imports: [
    IdentityCoreModule,
    JobsModule,
    SchedulerModule,
    PrometheusModule.registerAsync({
      imports: [JobsModule],
      controller: MetricsController,
      useClass: MetricsOptions,
    }),
  ],
  controllers: [HealthController],
  providers: [Health],
})
export class HealthModule {}
