export { OrganizationProfileModule } from './organization-profile.module.js';
export { DEPLOYMENT_REALM } from './deployment-realm.js';
export { SessionDto, toSessionDto } from './dto/tokens.js';
export { toUserDto, UserDto, UserOrganizationDto } from './dto/user.js';
export { UserOrganizations } from './user-organizations.js';
