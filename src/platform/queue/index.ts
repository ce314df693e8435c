export { QueueConnection } from './queue-connection.js';
export { requireRedis } from './redis-check.js';
export { QueueModule } from './queue.module.js';
export { MAIL_QUEUE, RUN_QUEUE } from './queues.js';
export type { MailWakeUp, RunWakeUp } from './queues.js';
