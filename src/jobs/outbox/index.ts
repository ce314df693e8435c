export { OutboxRelay } from './outbox-relay.js';
export { OutboxRepository } from './outbox.repository.js';
export type { OutboxEvent } from './outbox.repository.js';
