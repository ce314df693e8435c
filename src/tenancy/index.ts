export { DEPLOYMENT_SCOPE, Tenancy } from './tenancy.js';
export { TenancyModule } from './tenancy.module.js';
export { TenantDeletion } from './tenancy.js';
export type { TenantNames } from './tenancy.js';
