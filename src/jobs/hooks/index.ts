export { DeliveryPruning } from './delivery-pruning.js';
export { HooksModule } from './hooks.module.js';
