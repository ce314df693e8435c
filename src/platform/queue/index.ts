export { QueueConnection } from './queue-connection.js';
export { QueueModule } from './queue.module.js';
export { RUN_QUEUE } from './queues.js';
export type { RunHint } from './queues.js';
