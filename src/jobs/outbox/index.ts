export { OutboxRelay } from './outbox-relay.js';
export { OutboxRepository } from './outbox.repository.js';
export type { OutboxEvent, WaitingQuota } from './outbox.repository.js';
