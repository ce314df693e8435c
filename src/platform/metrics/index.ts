export { AuthMetrics } from './auth-metrics.js';
export type { AuthEvent } from './auth-metrics.js';
export { HttpMetrics } from './http-metrics.js';
export { RefusalMetrics } from './refusal-metrics.js';
export { MetricsModule } from './metrics.module.js';
