import { Module } from '@nestjs/common';
import type { DynamicModule, ModuleMetadata } from '@nestjs/common';
import { IdentityCoreModule } from '../../core/index.js';
import { Profile } from './profile.js';
import { ProfileController } from './profile.controller.js';
import { SessionController } from './session.controller.js';
import { TokenGrants } from './token-grants.js';

@Module({})
export class OrganizationProfileModule {
  /** @param organizations the module that provides `UserOrganizations` */
  static register(organizations: NonNullable<ModuleMetadata['imports']>[number]): DynamicModule {
    return {
      module: OrganizationProfileModule,
      imports: [IdentityCoreModule, organizations],
      controllers: [SessionController, ProfileController],
      providers: [TokenGrants, Profile],
    };
  }
}
