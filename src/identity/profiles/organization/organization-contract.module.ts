import { Global, Module } from '@nestjs/common';
import { AccountMails } from '../../mail-outbox/account-mails.js';
import { IdentityProfile } from '../../sessions/identity-profile.js';
import { OrganizationIdentityProfile, OrganizationMails } from './organization-contract.js';

/** What the core asks of the active profile. Global: the core is imported by many, and knows no profile. */
@Global()
@Module({
  providers: [
    { provide: IdentityProfile, useClass: OrganizationIdentityProfile },
    { provide: AccountMails, useClass: OrganizationMails },
  ],
  exports: [IdentityProfile, AccountMails],
})
export class OrganizationContractModule {}
