import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UserOrganizations } from '../identity/index.js';
import { RbacModule } from '../rbac/index.js';
import { MemberEntity } from './member.entity.js';
import { MembershipRepository } from './membership.repository.js';
import { Memberships } from './memberships.js';
import { OrganizationDirectory } from './organization-directory.js';
import { OrganizationEntity } from './organization.entity.js';
import { OrganizationRepository } from './organization.repository.js';
import { Organizations } from './organizations.js';
import { OrganizationsController } from './organizations.controller.js';
import { TenantResolver } from './tenant-resolver.js';

@Module({
  imports: [RbacModule, TypeOrmModule.forFeature([OrganizationEntity, MemberEntity])],
  controllers: [OrganizationsController],
  providers: [
    OrganizationRepository,
    MembershipRepository,
    Memberships,
    OrganizationDirectory,
    Organizations,
    TenantResolver,
    { provide: UserOrganizations, useExisting: Organizations },
  ],
  exports: [Memberships, OrganizationDirectory, TenantResolver, UserOrganizations],
})
export class OrgsModule {}
