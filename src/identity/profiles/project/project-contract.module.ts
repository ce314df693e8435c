import { Global, Module } from '@nestjs/common';
import { AccountMails } from '../../mail-outbox/account-mails.js';
import { IdentityProfile } from '../../sessions/identity-profile.js';
import { MailSettings } from './mail/mail-settings.js';
import { MailSettingsRepository } from './mail/mail-settings.repository.js';
import { ProjectMails } from './mail/project-mails.js';
import { TemplateRepository } from './mail/template.repository.js';
import { Templates } from './mail/templates.js';
import { ProjectIdentityProfile } from './project-identity-profile.js';

/**
 * What the core asks of the active profile. Global: the core is imported by many, and knows no profile. Needs a
 * global module that provides `ProjectNames`.
 */
@Global()
@Module({
  providers: [
    MailSettings,
    MailSettingsRepository,
    ProjectMails,
    TemplateRepository,
    Templates,
    { provide: IdentityProfile, useClass: ProjectIdentityProfile },
    { provide: AccountMails, useExisting: ProjectMails },
  ],
  exports: [AccountMails, IdentityProfile, MailSettings, ProjectMails, Templates],
})
export class ProjectContractModule {}
