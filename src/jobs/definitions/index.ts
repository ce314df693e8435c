export { BundleRegistration } from './bundle-registration.js';
export { Definitions } from './definitions.js';
export { DefinitionsController } from './definitions.controller.js';
export { JobCatalog } from './job-catalog.js';
export { JobDrafts } from './job-drafts.js';
export { JobEntity } from './job.entity.js';
export { JobRepository } from './job.repository.js';
export { JobStore, TenantJobs } from './job-store.js';
