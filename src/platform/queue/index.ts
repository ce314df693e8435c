export { QueueConnection } from './queue-connection.js';
export { askRedis, requireRedis } from './redis-check.js';
export type { RedisFailure } from './redis-check.js';
export { evictingPolicyOf, redisInfoField } from './redis-info.js';
export { redisAddress } from './redis-servers.js';
export type { RedisServers } from './redis-servers.js';
export { QueueModule } from './queue.module.js';
