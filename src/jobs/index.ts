export { JobsModule } from './jobs.module.js';
export { RunMetrics } from './runs/run-metrics.js';
export { WorkerHeartbeat } from './runs/worker-heartbeat.js';
