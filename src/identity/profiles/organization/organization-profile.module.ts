import { Module } from '@nestjs/common';
import type { DynamicModule, ModuleMetadata } from '@nestjs/common';
import { IdentityCoreModule } from '../../core/index.js';
import { RecoverPage } from '../../pages/index.js';
import { AccountDeletion } from './account-deletion.js';
import { Logout } from './logout.js';
import { MailFlowsController } from './mail-flows.controller.js';
import { OrganizationContractModule } from './organization-contract.module.js';
import { OwnSessionsController } from './own-sessions.controller.js';
import { InvitationPage } from './pages/invitation-page.js';
import { PagesController } from './pages/pages.controller.js';
import { VerifyPage } from './pages/verify-page.js';
import { Profile } from './profile.js';
import { ProfileController } from './profile.controller.js';
import { SessionController } from './session.controller.js';
import { TokenGrants } from './token-grants.js';

@Module({})
export class OrganizationProfileModule {
  /** @param organizations the module that provides `UserOrganizations`, `OrganizationDeparture` and `InvitationEntry` */
  static register(organizations: NonNullable<ModuleMetadata['imports']>[number]): DynamicModule {
    return {
      module: OrganizationProfileModule,
      imports: [OrganizationContractModule, IdentityCoreModule, organizations],
      controllers: [
        SessionController,
        OwnSessionsController,
        MailFlowsController,
        ProfileController,
        PagesController,
      ],
      providers: [AccountDeletion, InvitationPage, Logout, Profile, RecoverPage, TokenGrants, VerifyPage],
    };
  }
}
