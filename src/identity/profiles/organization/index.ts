export { DEPLOYMENT_REALM } from './deployment-realm.js';
export { InvitationEntry } from './invitation-entry.js';
export type { InvitationDescription } from './invitation-entry.js';
export { OrganizationDeparture } from './organization-departure.js';
export { OrganizationProfileModule } from './organization-profile.module.js';
export { SessionDto, toSessionDto } from './dto/tokens.js';
export { toUserDto, UserDto, UserOrganizationDto } from './dto/user.js';
export { UserOrganizations } from './user-organizations.js';
