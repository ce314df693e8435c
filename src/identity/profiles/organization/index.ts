export { OrganizationProfileModule } from './organization-profile.module.js';
export { UserOrganizationDto } from './dto/user.js';
export { UserOrganizations } from './user-organizations.js';
