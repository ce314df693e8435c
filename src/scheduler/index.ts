export { SchedulerModule } from './scheduler.module.js';
export { SchedulerTick } from './scheduler-tick.js';
