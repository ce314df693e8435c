export { DEPLOYMENT_REALM } from './deployment-realm.js';
export { InvitationEntry } from './invitation-entry.js';
export type { InvitationDescription } from './invitation-entry.js';
export { OrganizationIdentityProfile } from './organization-contract.js';
export { OrganizationDeparture } from './account/organization-departure.js';
export { OrganizationProfileModule } from './organization-profile.module.js';
export { SessionDto, toSessionDto } from './dto/tokens.js';
export { toUserDto, UserDto, UserOrganizationDto } from './dto/user.js';
export { UserOrganizations } from './account/user-organizations.js';
