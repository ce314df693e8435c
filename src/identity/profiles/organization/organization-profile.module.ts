import { Module } from '@nestjs/common';
import type { DynamicModule, ModuleMetadata } from '@nestjs/common';
import { IdentityCoreModule } from '../../identity-core.module.js';
import {
  ManagedAccounts,
  ManagedFactors,
  ManagedMails,
  ManagedOutbox,
  ManagedPasswords,
  ManagedSessions,
  ManagedUserAudit,
  ManagedUsers,
  OperatorOutboxController,
  OperatorUserAccountController,
  OperatorUserAuditController,
  OperatorUserRepository,
  OperatorUserSessionsController,
  OperatorUsersController,
  UserDisabling,
} from '../../managed-accounts/index.js';
import { ImportRepository, OperatorImportsController, UserImports } from '../../imports/index.js';
import { MailPreviews } from '../../mail-templates/index.js';
import { ChangeEmailPage, NewLinkPage, PageReplies, PageViews, RecoverPage } from '../../pages/index.js';
import { AccountDeletion } from './account/account-deletion.js';
import { emailController } from '../../own-account/email.controller.js';
import { factorsController } from '../../own-account/factors.controller.js';
import { ownSessionsController } from '../../own-account/own-sessions.controller.js';
import type { OwnAccountAccess } from '../../own-account/own-account-access.js';
import { ProfileController } from './account/profile.controller.js';
import { Profile } from './account/profile.js';
import { MailFlowsController } from './mail-flows.controller.js';
import { OperatorBrandController } from './mail/brand.controller.js';
import { DeploymentMailTest } from './mail/deployment-mail-test.js';
import { OperatorTemplatesController } from './mail/operator-templates.controller.js';
import { OrganizationContractModule } from './organization-contract.js';
import { InvitationPage } from './pages/invitation-page.js';
import { PagesController } from './pages/pages.controller.js';
import { VerifyPage } from './pages/verify-page.js';
import { SessionController } from './sessions/session.controller.js';
import { Logout } from './sessions/logout.js';
import { TokenGrants } from './sessions/token-grants.js';
import { LogoutController } from './sessions/logout.controller.js';

const OWN_ACCOUNT: OwnAccountAccess = { access: 'user', ownAccount: true };

@Module({})
export class OrganizationProfileModule {
  /** @param organizations the module that provides `UserOrganizations`, `MembershipRemoval` and `InvitationTokens` */
  static register(organizations: NonNullable<ModuleMetadata['imports']>[number]): DynamicModule {
    return {
      module: OrganizationProfileModule,
      imports: [OrganizationContractModule, IdentityCoreModule, organizations],
      controllers: [
        SessionController,
        LogoutController,
        ownSessionsController(OWN_ACCOUNT),
        MailFlowsController,
        ProfileController,
        emailController(OWN_ACCOUNT, 'public'),
        factorsController(OWN_ACCOUNT),
        PagesController,
        // Before the paths with an id.
        OperatorImportsController,
        OperatorUsersController,
        OperatorUserAccountController,
        OperatorUserAuditController,
        OperatorUserSessionsController,
        OperatorBrandController,
        OperatorOutboxController,
        OperatorTemplatesController,
      ],
      providers: [
        AccountDeletion,
        ChangeEmailPage,
        DeploymentMailTest,
        ImportRepository,
        MailPreviews,
        InvitationPage,
        Logout,
        ManagedAccounts,
        ManagedFactors,
        ManagedMails,
        ManagedOutbox,
        ManagedPasswords,
        ManagedSessions,
        ManagedUserAudit,
        ManagedUsers,
        OperatorUserRepository,
        NewLinkPage,
        PageReplies,
        PageViews,
        Profile,
        RecoverPage,
        TokenGrants,
        UserDisabling,
        UserImports,
        VerifyPage,
      ],
    };
  }
}
