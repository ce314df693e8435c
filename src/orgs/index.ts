export { Memberships } from './memberships.js';
export { OrganizationDirectory } from './organization-directory.js';
export { OrgsModule } from './orgs.module.js';
export { TenantResolver } from './tenant-resolver.js';
