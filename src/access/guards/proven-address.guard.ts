import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AccountStates, IdentityProfile } from '../../identity/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { ACCESS, needsProvenAddress, OWN_ACCOUNT, ServiceError } from '../../http/index.js';
import type { Access, ServiceRequest } from '../../http/index.js';

/**
 * With `identity.require_verified_email`, keeps users whose address is not proven to the routes of their own account.
 * Their access tokens may be older than the proof, so that the account is asked and not the token.
 */
@Injectable()
export class ProvenAddressGuard implements CanActivate {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly reflector: Reflector,
    private readonly accounts: AccountStates,
    private readonly profile: IdentityProfile,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (!this.config.identity.requireVerifiedEmail) return true;
    const route = context.getHandler();
    const ownAccount = this.reflector.get<boolean | undefined>(OWN_ACCOUNT, route) === true;
    if (!needsProvenAddress(this.reflector.get<Access>(ACCESS, route), ownAccount)) return true;
    const { caller } = context.switchToHttp().getRequest<ServiceRequest>();
    if (caller?.type !== 'user' || (await this.accounts.isProven(caller.userId))) return true;
    throw new ServiceError('email_not_verified', { hint: this.profile.proofHint });
  }
}
