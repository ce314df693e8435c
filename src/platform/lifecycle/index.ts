export { Clock } from './clock.js';
export type { Duty } from './duty.js';
export { DutyRoster } from './duty-roster.js';
export { LifecycleModule } from './lifecycle.module.js';
export { Readiness } from './readiness.js';
export { RepeatedTask } from './repeated-task.js';
export { TimeSlice } from './time-slice.js';
