import { Injectable } from '@nestjs/common';
import type { Origin } from '../../../platform/http/index.js';
import type { PasswordGrant } from '../../credentials.js';
import { SignUp } from '../../core/index.js';
import type { RealmId, TokenPair } from '../../core/index.js';
import { InvitationExpiry } from './invitations/invitation-expiry.js';

/** Sign-up in a project, where an invitation that nobody accepted stands in nobody's way. */
@Injectable()
export class ProjectSignUp {
  constructor(
    private readonly registration: SignUp,
    private readonly expiry: InvitationExpiry,
  ) {}

  /** @throws validation_failed, email_taken, overloaded */
  async signUp(realmId: RealmId, { email, password }: PasswordGrant, origin: Origin): Promise<TokenPair> {
    await this.expiry.freeAddress(realmId, email);
    return await this.registration.signUp(realmId, { email, password, metadata: {} }, origin);
  }
}
