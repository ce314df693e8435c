export { HttpMetrics, RefusalMetrics, MetricsModule } from './http-metrics.js';
