import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { AccountStates, IdentityProfile } from '../../identity/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { whenResolved } from '../../cache-invalidation/index.js';
import { requestOf, routeAccess, ServiceError } from '../../http/index.js';

/**
 * With `identity.require_verified_email`, restricts users with an unverified address to the routes of their own
 * account. An access token may be older than the verification, so this checks the account and not the token.
 */
@Injectable()
export class ProvenAddressGuard implements CanActivate {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly accounts: AccountStates,
    private readonly profile: IdentityProfile,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (!this.config.identity.requireVerifiedEmail || !routeAccess(context).needsProvenAddress) return true;
    const { caller } = requestOf(context);
    if (caller?.type !== 'user') return true;
    return whenResolved(this.accounts.isProven(caller.userId), (isProven) => {
      if (isProven) return true;
      throw new ServiceError('email_not_verified', { hint: this.profile.proofHint });
    });
  }
}
