import { Module } from '@nestjs/common';
import type { DynamicModule, ModuleMetadata } from '@nestjs/common';
import { IdentityCoreModule } from '../../identity-core.module.js';
import {
  ManagedAccounts,
  ManagedMails,
  ManagedPasswords,
  ManagedSessions,
  ManagedUserAudit,
  ManagedUsers,
  OperatorUserAccountController,
  OperatorUserAuditController,
  OperatorUserRepository,
  OperatorUserSessionsController,
  OperatorUsersController,
  UserDisabling,
} from '../../operator/index.js';
import { PageReplies, RecoverPage } from '../../pages/index.js';
import { AccountDeletion } from './account/account-deletion.js';
import { ProfileController } from './account/profile.controller.js';
import { Profile } from './account/profile.js';
import { MailFlowsController } from './mail-flows.controller.js';
import { OrganizationContractModule } from './organization-contract.js';
import { InvitationPage } from './pages/invitation-page.js';
import { PagesController } from './pages/pages.controller.js';
import { VerifyPage } from './pages/verify-page.js';
import { SessionController } from './sessions/session.controller.js';
import { Logout, TokenGrants } from './sessions/token-grants.js';
import { UserSessionsController } from './sessions/user-sessions.controller.js';

@Module({})
export class OrganizationProfileModule {
  /** @param organizations the module that provides `UserOrganizations`, `OrganizationDeparture` and `InvitationEntry` */
  static register(organizations: NonNullable<ModuleMetadata['imports']>[number]): DynamicModule {
    return {
      module: OrganizationProfileModule,
      imports: [OrganizationContractModule, IdentityCoreModule, organizations],
      controllers: [
        SessionController,
        UserSessionsController,
        MailFlowsController,
        ProfileController,
        PagesController,
        OperatorUsersController,
        OperatorUserAccountController,
        OperatorUserAuditController,
        OperatorUserSessionsController,
      ],
      providers: [
        AccountDeletion,
        InvitationPage,
        Logout,
        ManagedAccounts,
        ManagedMails,
        ManagedPasswords,
        ManagedSessions,
        ManagedUserAudit,
        ManagedUsers,
        OperatorUserRepository,
        PageReplies,
        Profile,
        RecoverPage,
        TokenGrants,
        UserDisabling,
        VerifyPage,
      ],
    };
  }
}
