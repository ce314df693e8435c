import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  IdentityCoreModule,
  InvitationEntry,
  OrganizationDeparture,
  UserOrganizations,
} from '../identity/index.js';
import { RbacModule } from '../rbac/index.js';
import { Administration } from './administration.js';
import { Authority } from './authority.js';
import { Departure } from './departure.js';
import { InvitationAcceptance } from './invitation-acceptance.js';
import { InvitationAcceptanceController } from './invitation-acceptance.controller.js';
import { InvitationEntrance } from './invitation-entrance.js';
import { InvitationMail } from './invitation-mail.js';
import { InvitationRedemption } from './invitation-redemption.js';
import { InvitationRepository } from './invitation.repository.js';
import { Invitations } from './invitations.js';
import { InvitationsController } from './invitations.controller.js';
import { MemberEntity } from './member.entity.js';
import { MemberRepository } from './member.repository.js';
import { Members } from './members.js';
import { MembersController } from './members.controller.js';
import { MembershipQuotas } from './membership-quotas.js';
import { MembershipRepository } from './membership.repository.js';
import { Memberships } from './memberships.js';
import { OrganizationCreation } from './organization-creation.js';
import { OrganizationDirectory } from './organization-directory.js';
import { OrganizationEntity } from './organization.entity.js';
import { OrganizationRepository } from './organization.repository.js';
import { OrganizationSettings } from './organization-settings.js';
import { Organizations } from './organizations.js';
import { OrganizationsController } from './organizations.controller.js';
import { Roles } from './roles.js';
import { RolesController } from './roles.controller.js';
import { TenantResolver } from './tenant-resolver.js';
import { UserMemberships } from './user-memberships.js';

@Module({
  imports: [RbacModule, IdentityCoreModule, TypeOrmModule.forFeature([OrganizationEntity, MemberEntity])],
  controllers: [
    OrganizationsController,
    MembersController,
    RolesController,
    InvitationsController,
    InvitationAcceptanceController,
  ],
  providers: [
    Administration,
    Authority,
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
    Roles,
    TenantResolver,
    UserMemberships,
    { provide: InvitationEntry, useExisting: InvitationAcceptance },
    { provide: OrganizationDeparture, useExisting: Departure },
    { provide: UserOrganizations, useExisting: UserMemberships },
  ],
  exports: [
    Administration,
    InvitationAcceptance,
    InvitationEntry,
    Memberships,
    OrganizationCreation,
    OrganizationDeparture,
    OrganizationDirectory,
    TenantResolver,
    UserOrganizations,
  ],
})
export class OrgsModule {}
