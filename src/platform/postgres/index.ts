export { PostgresClient } from './postgres-client.js';
export type { ClientOptions } from './postgres-client.js';
