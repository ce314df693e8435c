export { Definitions } from './definitions.js';
export { DefinitionsController } from './definitions.controller.js';
export { JobEntity } from './job.entity.js';
export { JobRepository } from './job.repository.js';
export { retryDelayMs } from './retry-backoff.js';
export type { RetryBackoff } from './retry-backoff.js';
