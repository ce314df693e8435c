export { HealthModule } from './health.module.js';
export { InstanceRepository, isAlive } from './instances/instance.repository.js';
export type { Instance } from './instances/instance.repository.js';
