export { InvitationAcceptance } from './invitations/invitation-acceptance.js';
export { OperatorOrganizationsModule, OrganizationTenancyModule, OrgsModule } from './orgs.module.js';
export { MemberKeys } from './members/member-keys.js';
export { TenantResolver } from './tenancy/tenant-resolver.js';
