export { QueueConnection } from './queue-connection.js';
export { requireRedis } from './redis-check.js';
export { QueueModule } from './queue.module.js';
