export { BackgroundServices } from './background-services.js';
export type { BackgroundService } from './background-services.js';
export { Clock, TimeSlice } from './clock.js';
export { LifecycleModule, Readiness } from './lifecycle.module.js';
export { PeriodicService, RepeatedTask } from './periodic-service.js';
