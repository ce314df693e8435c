export { latestInstant, nextInstants } from './instants.js';
export { CronSchedule, InvalidScheduleError } from './schedule.js';
export { isTimeZone } from './zone-offset.js';
