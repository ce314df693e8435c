export { InvitationAcceptance } from './invitations/invitation-acceptance.js';
export type { AcceptedInvitation } from './invitations/invitation-acceptance.js';
export { OperatorOrganizationsModule, OrganizationTenancyModule, OrgsModule } from './orgs.module.js';
export { OrganizationDirectory } from './directory/organization-directory.js';
export { MemberKeys } from './members/member-keys.js';
export { Memberships } from './members/memberships.js';
export { TenantResolver } from './tenancy/tenant-resolver.js';
