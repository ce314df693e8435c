import { Global, Injectable, Module } from '@nestjs/common';
import { Brands } from '../../brand/index.js';
import { AccountMails } from '../../mails/account-mails.js';
import {
  MailRenderer,
  MailTemplates,
  MailTemplateSet,
  TemplateRepository,
} from '../../mail-templates/index.js';
import { DeploymentRelyingParty, RelyingParties } from '../../passkeys/relying-party.js';
import { IdentityProfile } from '../../retention/identity-profile.js';
import { DeploymentOperatorTokens } from '../../token-signers/operator-tokens.js';
import { ProjectAccessTokens, ProjectRunTokens } from '../../token-signers/project-token-signers.js';
import { AccessTokenSigner, OperatorTokens, RunTokenIssuer } from '../../token-signers/token-signers.js';
import { RedirectLists } from '../../redirects/redirect-urls.js';
import { OPERATOR_REALM } from '../../users/user.repository.js';
import type { RealmId } from '../../users/user.repository.js';
import { ProjectBrandRepository, ProjectBrands } from './brand/project-brands.js';
import { ProjectNames } from './projects.js';
import { MailSettings, MailSettingsRepository } from './mail/mail-settings.js';
import { PROJECT_TEMPLATES, ProjectMails } from './mail/project-mails.js';
import { ProjectRelyingParties } from './sign-in/project-relying-parties.js';
import { ProjectRelyingPartyRepository } from './sign-in/project-relying-party.repository.js';

/** What the project profile decides: a used refresh token and an ended session leave no row. */
@Injectable()
export class ProjectIdentityProfile extends IdentityProfile {
  readonly usedTokens = 'deleted';
  readonly proofHint = 'Follow the link of a mail: POST /auth/v1/magic-link or /auth/v1/recover sends one.';
  /** Users belong to projects, operators to the deployment. */
  readonly operatorRealm = OPERATOR_REALM;
}

/** A list for each project, in its settings. */
@Injectable()
export class ProjectRedirectLists extends RedirectLists {
  readonly setting = 'redirect_urls of the project';

  constructor(private readonly projects: ProjectNames) {
    super();
  }

  async patternsOf(realmId: RealmId): Promise<readonly string[]> {
    return await this.projects.redirectUrlsOf(realmId);
  }
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
    ProjectRelyingPartyRepository,
    MailRenderer,
    MailTemplates,
    ProjectBrandRepository,
    ProjectBrands,
    TemplateRepository,
    { provide: Brands, useExisting: ProjectBrands },
    { provide: MailTemplateSet, useValue: PROJECT_TEMPLATES },
    DeploymentOperatorTokens,
    DeploymentRelyingParty,
    { provide: OperatorTokens, useExisting: DeploymentOperatorTokens },
    { provide: AccessTokenSigner, useClass: ProjectAccessTokens },
    { provide: RunTokenIssuer, useClass: ProjectRunTokens },
    { provide: IdentityProfile, useClass: ProjectIdentityProfile },
    { provide: RedirectLists, useClass: ProjectRedirectLists },
    { provide: RelyingParties, useClass: ProjectRelyingParties },
    { provide: AccountMails, useExisting: ProjectMails },
  ],
  exports: [
    AccessTokenSigner,
    AccountMails,
    Brands,
    DeploymentRelyingParty,
    IdentityProfile,
    MailRenderer,
    MailSettings,
    MailTemplates,
    MailTemplateSet,
    OperatorTokens,
    ProjectBrands,
    ProjectMails,
    RedirectLists,
    ProjectRelyingPartyRepository,
    RelyingParties,
    RunTokenIssuer,
  ],
})
export class ProjectContractModule {}
