export { latestInstant, nextInstants } from './instants.js';
export { CronSchedule, InvalidScheduleError } from './schedule.js';
export { isTimeZone, localTimeAt } from './zone-offset.js';
