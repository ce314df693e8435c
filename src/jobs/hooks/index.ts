export { pruneDeliveries } from './delivery.repository.js';
export { HooksModule } from './hooks.module.js';
