import { Global, Inject, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  IdentityCoreModule,
  ImportTenants,
  InvitationTokens,
  MembershipRemoval,
  UserOrganizations,
} from '../identity/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { BackgroundServices } from '../platform/lifecycle/index.js';
import { Tenancy } from '../tenancy/index.js';
import { OrganizationCommands, RbacModule, RoleAssignments } from '../rbac/index.js';
import { CurrentPermissions } from './commands/current-permissions.js';
import { LockedOrganizationCommands } from './commands/locked-organization-commands.js';
import { OrganizationDirectory } from './directory/organization-directory.js';
import { OrganizationEntity, OrganizationRepository } from './directory/organization.repository.js';
import { ImportOrganizationRepository } from './imports/import-organizations.repository.js';
import { OrganizationImports } from './imports/organization-imports.js';
import { InvitationAcceptanceController } from './invitations/invitation-acceptance.controller.js';
import { InvitationAcceptance } from './invitations/invitation-acceptance.js';
import { Invitees } from './invitations/invitees.js';
import { InvitationExpiry } from './invitations/invitation-expiry.js';
import { InvitationMail } from './invitations/invitation-mail.js';
import { InvitationRedemption } from './invitations/invitation-redemption.js';
import { InvitationRules } from './invitations/invitation-rules.js';
import { InvitationRepository } from './invitations/invitation.repository.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { Invitations } from './invitations/invitations.js';
import { OrganizationRoleAssignments } from './invitations/organization-role-assignments.js';
import { DeletedAccountMemberships } from './members/deleted-account-memberships.js';
import { MemberAccessController } from './member-access/member-access.controller.js';
import { MemberAccesses } from './member-access/member-access.js';
import { MemberEntity, MemberRepository } from './members/member.repository.js';
import { MembersController } from './members/members.controller.js';
import { MemberKeys } from './members/member-keys.js';
import { Members } from './members/members.js';
import { MembershipQuotas } from './members/membership-quotas.js';
import { MembershipRepository } from './members/membership.repository.js';
import { OperatorMembersController } from './members/operator-members.controller.js';
import { OperatorMemberChanges, OperatorMembers } from './members/operator-members.js';
import { OperatorUserOrganizationsController } from './members/operator-user-organizations.controller.js';
import { Memberships, UserMemberships } from './members/memberships.js';
import { OperatorOrganizationsController } from './organizations/operator-organizations.controller.js';
import { OrganizationCreation } from './organizations/organization-creation.js';
import { OrganizationChanges } from './organizations/organization-changes.js';
import { OperatorOrganizationSettings, OrganizationSettings } from './organizations/organization-settings.js';
import { OrganizationsController } from './organizations/organizations.controller.js';
import { OperatorOrganizations, Organizations } from './organizations/organizations.js';
import { OrganizationTenancy, TenantResolver } from './tenancy/tenant-resolver.js';

@Module({
  imports: [RbacModule, IdentityCoreModule, TypeOrmModule.forFeature([OrganizationEntity, MemberEntity])],
  controllers: [
    OrganizationsController,
    MembersController,
    MemberAccessController,
    InvitationsController,
    InvitationAcceptanceController,
    OperatorMembersController,
    OperatorUserOrganizationsController,
  ],
  providers: [
    LockedOrganizationCommands,
    CurrentPermissions,
    DeletedAccountMemberships,
    ImportOrganizationRepository,
    InvitationAcceptance,
    InvitationExpiry,
    Invitees,
    InvitationMail,
    InvitationRedemption,
    InvitationRepository,
    InvitationRules,
    Invitations,
    MemberAccesses,
    MemberRepository,
    MemberKeys,
    Members,
    MembershipQuotas,
    MembershipRepository,
    Memberships,
    OperatorMemberChanges,
    OperatorMembers,
    OperatorOrganizationSettings,
    OrganizationChanges,
    OrganizationCreation,
    OrganizationDirectory,
    OrganizationRepository,
    OrganizationSettings,
    Organizations,
    TenantResolver,
    UserMemberships,
    { provide: OrganizationCommands, useExisting: LockedOrganizationCommands },
    { provide: RoleAssignments, useClass: OrganizationRoleAssignments },
    { provide: ImportTenants, useClass: OrganizationImports },
    { provide: InvitationTokens, useExisting: InvitationAcceptance },
    { provide: MembershipRemoval, useExisting: DeletedAccountMemberships },
    { provide: UserOrganizations, useExisting: UserMemberships },
  ],
  exports: [
    CurrentPermissions,
    ImportTenants,
    OrganizationCommands,
    InvitationAcceptance,
    InvitationTokens,
    MemberKeys,
    Memberships,
    OperatorOrganizationSettings,
    OrganizationCreation,
    MembershipRemoval,
    OrganizationDirectory,
    RoleAssignments,
    TenantResolver,
    UserOrganizations,
  ],
})
export class OrgsModule implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly backgroundServices: BackgroundServices,
    private readonly expiry: InvitationExpiry,
  ) {}

  onModuleInit(): void {
    if (this.config.roles.has('worker')) this.backgroundServices.register(this.expiry);
  }
}

/** The operator's endpoints of organizations. */
@Module({
  imports: [OrgsModule],
  controllers: [OperatorOrganizationsController],
  providers: [OperatorOrganizations],
})
export class OperatorOrganizationsModule {}

@Global()
@Module({
  imports: [OrgsModule],
  providers: [{ provide: Tenancy, useClass: OrganizationTenancy }],
  exports: [Tenancy],
})
export class OrganizationTenancyModule {}
