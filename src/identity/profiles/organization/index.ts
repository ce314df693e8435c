export { InvitationTokens, MembershipRemoval, UserOrganizations } from './organizations.js';
export type { InvitationDescription } from './organizations.js';
export { OrganizationIdentityProfile } from './organization-contract.js';
export { OrganizationProfileModule } from './organization-profile.module.js';
export { SessionDto, toSessionDto } from './dto/tokens.js';
export { toUserDto, UserDto, UserOrganizationDto } from './dto/user.js';
