import { Injectable } from '@nestjs/common';
import type { Origin, ProjectKeyCaller } from '../../../platform/http/index.js';
import type { PasswordGrant } from '../../credentials.js';
import { SignUp } from '../../sign-in/methods/sign-up.js';
import { SignUpRules } from '../../users/sign-up-rules.js';
import type { RealmId } from '../../users/user.repository.js';
import type { TokenPair } from '../../sessions/sessions.js';
import { InvitationExpiry } from './invitations/invitation-expiry.js';

/** Sign-up in a project, where an invitation that nobody accepted stands in nobody's way. */
@Injectable()
export class ProjectSignUp {
  constructor(
    private readonly registration: SignUp,
    private readonly rules: SignUpRules,
    private readonly expiry: InvitationExpiry,
  ) {}

  /**
   * @param by whose key asks: with the service key the project itself makes the account, whatever `identity.sign_up`
   * @throws sign_up_closed, validation_failed, weak_password, email_taken, rate_limited, overloaded
   */
  async signUp(
    realmId: RealmId,
    { email, password }: PasswordGrant,
    by: ProjectKeyCaller['role'],
    origin: Origin,
  ): Promise<TokenPair> {
    if (by === 'anon') this.rules.requireOpen();
    await this.expiry.freeAddress(realmId, email);
    const registration = { email, password, metadata: {} };
    return by === 'anon'
      ? await this.registration.signUp(realmId, registration, origin)
      : await this.registration.register(realmId, registration, origin);
  }
}
