import { Global, Inject, Injectable, Module } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Mail } from '../../../platform/mail/index.js';
import type { DeliveryAttempt } from '../../../platform/mail/index.js';
import { Brands } from '../../brand/index.js';
import type { Brand } from '../../brand/index.js';
import { AccountMails, mailLink, noticeLetter } from '../../mails/account-mails.js';
import type { AccountMail, AccountNotice, MailPurpose } from '../../mails/account-mails.js';
import {
  MailRenderer,
  MailTemplates,
  MailTemplateSet,
  TemplateRepository,
} from '../../mail-templates/index.js';
import type { TemplateName } from '../../mail-templates/index.js';
import { DeploymentRelyingParty, RelyingParties } from '../../passkeys/relying-party.js';
import type { RelyingParty } from '../../passkeys/relying-party.js';
import { RedirectLists } from '../../redirects/redirect-urls.js';
import { IdentityProfile } from '../../retention/identity-profile.js';
import { SigningKeysModule } from '../../signing-keys/signing-keys.module.js';
import {
  OrganizationAccessTokens,
  OrganizationRunTokens,
} from '../../token-signers/organization-token-signers.js';
import { AccessTokenSigner, RunTokenIssuer } from '../../token-signers/token-signers.js';
import { DEPLOYMENT_REALM } from '../../users/user.repository.js';
import type { RealmId } from '../../users/user.repository.js';

/** The template of each purpose that the profile serves, and the page that its link opens. */
const LETTERS: Readonly<
  Partial<Record<MailPurpose, { readonly template: TemplateName; readonly page: string }>>
> = {
  verify: { template: 'verification', page: 'verify' },
  recover: { template: 'recovery', page: 'recover' },
  change_email: { template: 'email_change', page: 'change-email' },
};

/** The mails of the profile, and what their templates can contain. */
const TEMPLATES = new MailTemplateSet({
  verification: ['link', 'email'],
  recovery: ['link', 'email'],
  invite: ['link', 'email', 'org', 'role', 'inviter'],
  email_change: ['link', 'email'],
  notice: ['title', 'message', 'email'],
});

/**
 * What the organization profile decides: used refresh tokens are kept, so that reuse is detected and ends the session.
 */
@Injectable()
export class OrganizationIdentityProfile extends IdentityProfile {
  readonly usedTokens = 'kept';
  readonly proofHint =
    'Follow the link in the verification mail; POST /auth/v1/verify/resend sends it again.';
  /** Operators are accounts like all others. */
  readonly operatorRealm = DEPLOYMENT_REALM;
}

/** The look that the settings give (`identity.brand`). */
@Injectable()
export class DeploymentBrand extends Brands {
  constructor(@Inject(CONFIG) private readonly config: Config) {
    super();
  }

  async of(): Promise<Brand> {
    return await Promise.resolve(this.config.identity.brand);
  }
}

/** One mail server and one set of templates for the deployment. */
@Injectable()
export class OrganizationMails extends AccountMails {
  constructor(
    private readonly mail: Mail,
    private readonly renderer: MailRenderer,
  ) {
    super();
  }

  async canSend(_realmId: RealmId, purpose: MailPurpose): Promise<boolean> {
    return await Promise.resolve(this.mail.isConfigured && LETTERS[purpose] !== undefined);
  }

  async send(realmId: RealmId, mail: AccountMail, attempt: DeliveryAttempt): Promise<string | null> {
    const { purpose, to, token, baseUrl, language } = mail;
    const served = LETTERS[purpose];
    if (served === undefined)
      throw new Error(`the organization profile has no mails of the purpose ${purpose}`);
    const values = { link: mailLink(baseUrl, served.page, token), email: to };
    const letter = { name: served.template, language, values };
    return await this.mail.send(to, await this.renderer.render(realmId, letter), attempt);
  }

  async canNotify(): Promise<boolean> {
    return await Promise.resolve(this.mail.isConfigured);
  }

  async notify(realmId: RealmId, notice: AccountNotice, attempt: DeliveryAttempt): Promise<string | null> {
    const rendered = await this.renderer.render(realmId, noticeLetter(notice));
    return await this.mail.send(notice.to, rendered, attempt);
  }
}

/** One list for the deployment, of its configuration. */
@Injectable()
export class OrganizationRedirectLists extends RedirectLists {
  readonly setting = 'identity.redirect_urls';

  constructor(@Inject(CONFIG) private readonly config: Config) {
    super();
  }

  async patternsOf(): Promise<readonly string[]> {
    return await Promise.resolve(this.config.identity.redirectUrls);
  }
}

/** All accounts are the deployment's. */
@Injectable()
export class OrganizationRelyingParties extends RelyingParties {
  constructor(private readonly deployment: DeploymentRelyingParty) {
    super();
  }

  async of(): Promise<RelyingParty> {
    return await Promise.resolve(this.deployment.get());
  }
}

/** What other modules ask the active profile. Global: the identity core is imported by many and knows no profile. */
@Global()
@Module({
  imports: [SigningKeysModule],
  providers: [
    DeploymentRelyingParty,
    MailRenderer,
    MailTemplates,
    TemplateRepository,
    { provide: Brands, useClass: DeploymentBrand },
    { provide: MailTemplateSet, useValue: TEMPLATES },
    { provide: AccessTokenSigner, useClass: OrganizationAccessTokens },
    { provide: AccountMails, useClass: OrganizationMails },
    { provide: IdentityProfile, useClass: OrganizationIdentityProfile },
    { provide: RedirectLists, useClass: OrganizationRedirectLists },
    { provide: RelyingParties, useClass: OrganizationRelyingParties },
    { provide: RunTokenIssuer, useClass: OrganizationRunTokens },
  ],
  exports: [
    AccessTokenSigner,
    AccountMails,
    Brands,
    DeploymentRelyingParty,
    IdentityProfile,
    MailRenderer,
    MailTemplates,
    MailTemplateSet,
    RedirectLists,
    RelyingParties,
    RunTokenIssuer,
  ],
})
export class OrganizationContractModule {}
