import { Module } from '@nestjs/common';
import type { DynamicModule, ModuleMetadata } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RoleEntity, RoleRepository } from './role.repository.js';
import { Roles } from './roles.js';
import { RolesController } from './roles.controller.js';

/** The stored roles, for the modules that assign them. */
@Module({
  imports: [TypeOrmModule.forFeature([RoleEntity])],
  providers: [RoleRepository],
  exports: [RoleRepository],
})
export class RbacModule {}

/** The endpoints of roles. */
@Module({})
export class RolesModule {
  /** @param organizations the module that provides `OrganizationCommands` and `RoleAssignments` */
  static register(organizations: NonNullable<ModuleMetadata['imports']>[number]): DynamicModule {
    return {
      module: RolesModule,
      imports: [RbacModule, organizations],
      controllers: [RolesController],
      providers: [Roles],
    };
  }
}
