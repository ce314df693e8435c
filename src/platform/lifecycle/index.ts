export { Clock } from './clock.js';
export type { BackgroundService } from './background-service.js';
export { BackgroundServices } from './background-services.js';
export { LifecycleModule } from './lifecycle.module.js';
export { Readiness } from './readiness.js';
export { RepeatedTask } from './repeated-task.js';
export { TimeSlice } from './time-slice.js';
