import { Global, Injectable, Module } from '@nestjs/common';
import { Mail } from '../../../platform/mail/index.js';
import type { Handover } from '../../../platform/mail/index.js';
import { AccountMails, mailLink, NOTICES } from '../../mail-outbox/account-mails.js';
import type { AccountMail, Notice } from '../../mail-outbox/account-mails.js';
import type { TokenPurpose } from '../../one-time-tokens/one-time-tokens.js';
import { IdentityProfile } from '../../retention/used-token-retention.js';
import { SigningKeysModule } from '../../signing-keys/signing-keys.module.js';
import {
  OrganizationAccessTokens,
  OrganizationRunTokens,
} from '../../token-signers/organization-token-signers.js';
import { AccessTokenSigner, RunTokenIssuer } from '../../token-signers/token-signers.js';
import { DEPLOYMENT_REALM } from '../../users/user.repository.js';
import type { RealmId } from '../../users/user.repository.js';

/** The purposes of the organization profile, each a page and a template of the same name. */
const PURPOSES = ['verify', 'recover'] as const;

function servedPurpose(purpose: TokenPurpose): (typeof PURPOSES)[number] | undefined {
  return PURPOSES.find((served) => served === purpose);
}

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

/** One mail server and one set of templates for the deployment. */
@Injectable()
export class OrganizationMails extends AccountMails {
  constructor(private readonly mail: Mail) {
    super();
  }

  async canSend(_realmId: RealmId, purpose: TokenPurpose): Promise<boolean> {
    return await Promise.resolve(this.mail.isConfigured && servedPurpose(purpose) !== undefined);
  }

  async send(_realmId: RealmId, mail: AccountMail, handover: Handover): Promise<void> {
    const { purpose, to, token, baseUrl } = mail;
    const served = servedPurpose(purpose);
    if (served === undefined)
      throw new Error(`the organization profile has no mails of the purpose ${purpose}`);
    const variables = { link: mailLink(baseUrl, served, token), email: to };
    await this.mail.send({ to, template: served, variables }, handover);
  }

  async canNotify(): Promise<boolean> {
    return await Promise.resolve(this.mail.isConfigured);
  }

  async notify(_realmId: RealmId, to: string, notice: Notice, handover: Handover): Promise<void> {
    const variables = { ...NOTICES[notice], email: to };
    await this.mail.send({ to, template: 'notice', variables }, handover);
  }
}

/** What other modules ask the active profile. Global: the identity core is imported by many and knows no profile. */
@Global()
@Module({
  imports: [SigningKeysModule],
  providers: [
    { provide: AccessTokenSigner, useClass: OrganizationAccessTokens },
    { provide: AccountMails, useClass: OrganizationMails },
    { provide: IdentityProfile, useClass: OrganizationIdentityProfile },
    { provide: RunTokenIssuer, useClass: OrganizationRunTokens },
  ],
  exports: [AccessTokenSigner, AccountMails, IdentityProfile, RunTokenIssuer],
})
export class OrganizationContractModule {}
