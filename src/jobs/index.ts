export { HooksModule, pruneDeliveries } from './hooks/index.js';
export { JobsModule } from './jobs.module.js';
export type { NewRun, Run } from './runs/run.js';
export { RunIntake } from './runs/run-intake.js';
export { RunMetrics } from './runs/run-metrics.js';
export { WorkerHeartbeat } from './runs/worker-heartbeat.js';
export { signingSecretSealContext } from './signing/index.js';
export { TriggerKinds } from './triggers/index.js';
export type { CronTriggerDto, JobTriggers, PlacedTrigger, TriggerKind } from './triggers/index.js';
