export { HttpMetrics } from './http-metrics.js';
export { RefusalMetrics } from './refusal-metrics.js';
export { MetricsModule } from './metrics.module.js';
