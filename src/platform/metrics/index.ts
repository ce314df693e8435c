export { HttpMetrics, RefusalMetrics } from './http-metrics.js';
export { MetricsModule } from './metrics.module.js';
