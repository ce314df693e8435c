import { Inject, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { BackgroundServices } from '../../../platform/lifecycle/index.js';
import { IdentityCoreModule } from '../../identity-core.module.js';
import {
  ManagedAccounts,
  ManagedMails,
  ManagedPasswords,
  ManagedSessions,
  ManagedUserAudit,
  ManagedUsers,
  OperatorUserRepository,
} from '../../operator/index.js';
import { PageReplies, RecoverPage } from '../../pages/index.js';
import { InvitationAcceptance } from './invitations/invitation-acceptance.js';
import { InvitationExpiry } from './invitations/invitation-expiry.js';
import { ProjectInvitationRepository } from './invitations/invitation.repository.js';
import { ProjectInvitationsController } from './invitations/invitations.controller.js';
import { Invitations } from './invitations/invitations.js';
import { InvitationAllowance, PendingInvitations } from './invitations/pending-invitations.js';
import { ProjectMailFlowsController } from './mail-flows.controller.js';
import { MailSettingsController } from './mail/mail-settings.controller.js';
import { MailTest } from './mail/mail-test.js';
import { TemplatesController } from './mail/templates.controller.js';
import { ProjectOwnSessionsController } from './own-sessions.controller.js';
import { InvitePage } from './pages/invite-page.js';
import { MagicLinkPage } from './pages/magic-link-page.js';
import { ProjectPagesController } from './pages/project-pages.controller.js';
import { ProjectContractModule } from './project-contract.js';
import { ProjectLogout, ProjectSignUp, SessionGrants } from './session-grants.js';
import { ProjectSessionController } from './session.controller.js';
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
    ProjectMailFlowsController,
    ProjectInvitationsController,
    ProjectOwnSessionsController,
    ProjectUsersController,
    ProjectUserAccountController,
    ProjectUserAuditController,
    ProjectUserSessionsController,
    TemplatesController,
    MailSettingsController,
    ProjectPagesController,
  ],
  providers: [
    InvitationAcceptance,
    InvitationExpiry,
    Invitations,
    InvitePage,
    MagicLinkPage,
    MailTest,
    ManagedAccounts,
    ManagedMails,
    ManagedPasswords,
    ManagedSessions,
    ManagedUserAudit,
    ManagedUsers,
    OperatorUserRepository,
    PageReplies,
    PendingInvitations,
    InvitationAllowance,
    ProjectInvitationRepository,
    ProjectLogout,
    ProjectSignUp,
    ProjectUsers,
    RecoverPage,
    SessionGrants,
  ],
})
export class ProjectProfileModule implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly roster: BackgroundServices,
    private readonly expiry: InvitationExpiry,
  ) {}

  onModuleInit(): void {
    if (this.config.roles.has('worker')) this.roster.register(this.expiry);
  }
}
