import { Global, Injectable, Module } from '@nestjs/common';
import { AccountMails } from '../../mail-outbox/account-mails.js';
import { IdentityProfile } from '../../retention/used-token-retention.js';
import { DeploymentOperatorTokens } from '../../token-signers/operator-tokens.js';
import { ProjectAccessTokens, ProjectRunTokens } from '../../token-signers/project-token-signers.js';
import { AccessTokenSigner, OperatorTokens, RunTokenIssuer } from '../../token-signers/token-signers.js';
import { OPERATOR_REALM } from '../../users/user.repository.js';
import { MailSettings, MailSettingsRepository } from './mail/mail-settings.js';
import { ProjectMails } from './mail/project-mails.js';
import { TemplateRepository } from './mail/template.repository.js';
import { Templates } from './mail/templates.js';

/** What the project profile decides: a used refresh token and an ended session leave no row. */
@Injectable()
export class ProjectIdentityProfile extends IdentityProfile {
  readonly usedTokens = 'deleted';
  readonly proofHint = 'Follow the link of a mail: POST /auth/v1/magic-link or /auth/v1/recover sends one.';
  /** Users belong to projects, operators to the deployment. */
  readonly operatorRealm = OPERATOR_REALM;
}

/**
 * What other modules ask the active profile. Global: the identity core is imported by many and knows no profile. Needs
 * a global module that provides `ProjectNames` and `ProjectSigningKeys`.
 */
@Global()
@Module({
  providers: [
    MailSettings,
    MailSettingsRepository,
    ProjectMails,
    TemplateRepository,
    Templates,
    DeploymentOperatorTokens,
    { provide: OperatorTokens, useExisting: DeploymentOperatorTokens },
    { provide: AccessTokenSigner, useClass: ProjectAccessTokens },
    { provide: RunTokenIssuer, useClass: ProjectRunTokens },
    { provide: IdentityProfile, useClass: ProjectIdentityProfile },
    { provide: AccountMails, useExisting: ProjectMails },
  ],
  exports: [
    AccessTokenSigner,
    AccountMails,
    IdentityProfile,
    MailSettings,
    OperatorTokens,
    ProjectMails,
    RunTokenIssuer,
    Templates,
  ],
})
export class ProjectContractModule {}
