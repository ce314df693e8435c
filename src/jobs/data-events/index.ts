export { DataEventRelay } from './data-event-relay.js';
export { DataTriggersModule } from './data-triggers.module.js';
