import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  IdentityCoreModule,
  InvitationEntry,
  OrganizationDeparture,
  UserOrganizations,
} from '../identity/index.js';
import { OrganizationCommands, RbacModule, RoleAssignments } from '../rbac/index.js';
import { LockedOrganizationCommands } from './commands/locked-organization-commands.js';
import { CurrentPermissions } from './commands/current-permissions.js';
import { Departure } from './members/departure.js';
import { InvitationAcceptance } from './invitations/invitation-acceptance.js';
import { InvitationAcceptanceController } from './invitations/invitation-acceptance.controller.js';
import { InvitationEntrance } from './invitations/invitation-entrance.js';
import { InvitationMail } from './invitations/invitation-mail.js';
import { InvitationRedemption } from './invitations/invitation-redemption.js';
import { InvitationRepository } from './invitations/invitation.repository.js';
import { OrganizationRoleAssignments } from './invitations/organization-role-assignments.js';
import { Invitations } from './invitations/invitations.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { MemberEntity } from './members/member.entity.js';
import { MemberRepository } from './members/member.repository.js';
import { Members } from './members/members.js';
import { MembersController } from './members/members.controller.js';
import { MembershipQuotas } from './members/membership-quotas.js';
import { MembershipRepository } from './members/membership.repository.js';
import { Memberships } from './members/memberships.js';
import { OrganizationCreation } from './organizations/organization-creation.js';
import { OrganizationDirectory } from './directory/organization-directory.js';
import { OrganizationEntity } from './directory/organization.entity.js';
import { OrganizationRepository } from './directory/organization.repository.js';
import { OrganizationSettings } from './organizations/organization-settings.js';
import { Organizations } from './organizations/organizations.js';
import { OrganizationsController } from './organizations/organizations.controller.js';
import { TenantResolver } from './tenancy/tenant-resolver.js';
import { UserMemberships } from './members/user-memberships.js';

@Module({
  imports: [RbacModule, IdentityCoreModule, TypeOrmModule.forFeature([OrganizationEntity, MemberEntity])],
  controllers: [
    OrganizationsController,
    MembersController,
    InvitationsController,
    InvitationAcceptanceController,
  ],
  providers: [
    LockedOrganizationCommands,
    CurrentPermissions,
    Departure,
    InvitationAcceptance,
    InvitationEntrance,
    InvitationMail,
    InvitationRedemption,
    InvitationRepository,
    Invitations,
    MemberRepository,
    Members,
    MembershipQuotas,
    MembershipRepository,
    Memberships,
    OrganizationCreation,
    OrganizationDirectory,
    OrganizationRepository,
    OrganizationSettings,
    Organizations,
    TenantResolver,
    UserMemberships,
    { provide: OrganizationCommands, useExisting: LockedOrganizationCommands },
    { provide: RoleAssignments, useClass: OrganizationRoleAssignments },
    { provide: InvitationEntry, useExisting: InvitationAcceptance },
    { provide: OrganizationDeparture, useExisting: Departure },
    { provide: UserOrganizations, useExisting: UserMemberships },
  ],
  exports: [
    OrganizationCommands,
    InvitationAcceptance,
    InvitationEntry,
    Memberships,
    OrganizationCreation,
    OrganizationDeparture,
    OrganizationDirectory,
    RoleAssignments,
    TenantResolver,
    UserOrganizations,
  ],
})
export class OrgsModule {}
