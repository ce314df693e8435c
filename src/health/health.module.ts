import { Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { PrometheusModule } from '@willsoto/nestjs-prometheus';
import type { PrometheusOptions, PrometheusOptionsFactory } from '@willsoto/nestjs-prometheus';
import { register } from 'prom-client';
import { JobsModule } from '../jobs/index.js';
import { BackgroundServices } from '../platform/lifecycle/index.js';
import { SchedulerModule } from '../scheduler/index.js';
import { HealthController, MetricsController } from './health.controller.js';
import { DatabaseProbe } from './database-probe.js';
import { Health } from './health.js';
import { InstanceHeartbeat } from './instances/instance-heartbeat.js';
import { InstanceRepository } from './instances/instance.repository.js';
import { InstancesController } from './instances/instances.controller.js';
import { SettingsController } from './settings/settings.controller.js';

/** Gauges whose names are those of counters, which `promtool check metrics` refuses; their parts by type remain. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

class MetricsOptions implements PrometheusOptionsFactory {
  createPrometheusOptions(): PrometheusOptions {
    return { path: '/metrics', defaultMetrics: { enabled: true } };
  }
}

@Module({
  imports: [
    JobsModule,
    SchedulerModule,
    PrometheusModule.registerAsync({
      imports: [JobsModule],
      controller: MetricsController,
      useClass: MetricsOptions,
    }),
  ],
  controllers: [HealthController, InstancesController, SettingsController],
  providers: [DatabaseProbe, Health, InstanceHeartbeat, InstanceRepository],
})
export class HealthModule implements OnModuleInit {
  constructor(
    private readonly services: BackgroundServices,
    private readonly heartbeat: InstanceHeartbeat,
  ) {}

  onModuleInit(): void {
    this.services.register(this.heartbeat);
    for (const name of MISNAMED) register.removeSingleMetric(name);
  }
}
