export { Memberships } from './memberships.js';
export { OrgsModule } from './orgs.module.js';
