import { Global, Module } from '@nestjs/common';
import { AccessTokenSigner } from '../../../signing-keys/access-token.js';
import { RunTokenIssuer } from '../../../signing-keys/run-token.js';
import { SigningKeysModule } from '../../../signing-keys/signing-keys.module.js';
import { OrganizationAccessTokens } from './organization-access-tokens.js';
import { OrganizationRunTokens } from './organization-run-tokens.js';

/** How this profile signs tokens; global, because the core asks for it wherever it is used. */
@Global()
@Module({
  imports: [SigningKeysModule],
  providers: [
    { provide: AccessTokenSigner, useClass: OrganizationAccessTokens },
    { provide: RunTokenIssuer, useClass: OrganizationRunTokens },
  ],
  exports: [AccessTokenSigner, RunTokenIssuer],
})
export class OrganizationTokensModule {}
