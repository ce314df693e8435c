export { EventRelay } from './event-relay.js';
export { EventTriggersModule } from './event-triggers.module.js';
