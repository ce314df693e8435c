import { Inject, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { BackgroundServices } from '../../../platform/lifecycle/index.js';
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
  OperatorUserRepository,
} from '../../managed-accounts/index.js';
import { ImportRepository, OperatorImportsController, UserImports } from '../../imports/index.js';
import { MailPreviews } from '../../mail-templates/index.js';
import { ChangeEmailPage, NewLinkPage, PageReplies, PageViews, RecoverPage } from '../../pages/index.js';
import { BrandController } from './brand/brand.controller.js';
import { InvitationAcceptance } from './invitations/invitation-acceptance.js';
import { InvitationExpiry } from './invitations/invitation-expiry.js';
import { ProjectInvitationRepository } from './invitations/invitation.repository.js';
import { ProjectInvitationsController } from './invitations/invitations.controller.js';
import { Invitations } from './invitations/invitations.js';
import { InvitationAllowance, PendingInvitations } from './invitations/pending-invitations.js';
import { ProjectMailFlowsController } from './mail-flows.controller.js';
import { MailSettingsController } from './mail/mail-settings.controller.js';
import { MailTest } from './mail/mail-test.js';
import { ProjectOutboxController } from './mail/project-outbox.controller.js';
import { TemplatesController } from './mail/templates.controller.js';
import {
  ProjectEmailController,
  ProjectFactorsController,
  ProjectOwnSessionsController,
} from './own-account.controllers.js';
import { ProjectAccountController } from './own-account.controller.js';
import { InvitePage } from './pages/invite-page.js';
import { MagicLinkPage } from './pages/magic-link-page.js';
import { ProjectPagesController } from './pages/project-pages.controller.js';
import { ProjectContractModule } from './project-contract.js';
import { ProjectLogout } from './project-logout.js';
import { ProjectSignUp } from './project-sign-up.js';
import { ProjectSessionController } from './session.controller.js';
import { EnrolmentController } from './sign-in/enrolment.controller.js';
import { SignInSettingsController } from './sign-in/sign-in-settings.controller.js';
import { ProjectSignInSettings } from './sign-in/sign-in-settings.js';
import { ProjectImportsController } from './users/project-imports.controller.js';
import { ProjectUserAccountController } from './users/project-user-account.controller.js';
import { ProjectUserAuditController } from './users/project-user-audit.controller.js';
import { ProjectUserSessionsController } from './users/project-user-sessions.controller.js';
import { ProjectUsersController } from './users/project-users.controller.js';
import { ProjectUsers } from './users/project-users.js';

/** The identity endpoints of a project. Needs a global module that provides `ProjectNames`. */
@Module({
  imports: [ProjectContractModule, IdentityCoreModule],
  controllers: [
    ProjectSessionController,
    EnrolmentController,
    SignInSettingsController,
    ProjectMailFlowsController,
    ProjectInvitationsController,
    ProjectOwnSessionsController,
    ProjectAccountController,
    ProjectEmailController,
    ProjectFactorsController,
    OperatorImportsController,
    ProjectImportsController,
    ProjectUsersController,
    ProjectUserAccountController,
    ProjectUserAuditController,
    ProjectUserSessionsController,
    TemplatesController,
    BrandController,
    MailSettingsController,
    ProjectOutboxController,
    OperatorOutboxController,
    ProjectPagesController,
  ],
  providers: [
    ChangeEmailPage,
    ImportRepository,
    InvitationAcceptance,
    InvitationExpiry,
    Invitations,
    InvitePage,
    MagicLinkPage,
    MailPreviews,
    MailTest,
    NewLinkPage,
    ManagedAccounts,
    ManagedFactors,
    ManagedMails,
    ManagedOutbox,
    ManagedPasswords,
    ManagedSessions,
    ManagedUserAudit,
    ManagedUsers,
    OperatorUserRepository,
    PageReplies,
    PageViews,
    PendingInvitations,
    InvitationAllowance,
    ProjectInvitationRepository,
    ProjectLogout,
    ProjectSignInSettings,
    ProjectSignUp,
    ProjectUsers,
    RecoverPage,
    UserImports,
  ],
})
export class ProjectProfileModule implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly backgroundServices: BackgroundServices,
    private readonly expiry: InvitationExpiry,
  ) {}

  onModuleInit(): void {
    if (this.config.roles.has('worker')) this.backgroundServices.register(this.expiry);
  }
}
