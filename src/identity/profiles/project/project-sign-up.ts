import { Injectable } from '@nestjs/common';
import { AuthMetrics } from '../../../audit/index.js';
import type { Origin, ProjectKeyCaller } from '../../../http/index.js';
import type { TokenPair } from '../../sessions/sessions.js';
import { SignUp } from '../../sign-in/methods/sign-up.js';
import { NO_METADATA } from '../../users/metadata.js';
import { SignUpRules } from '../../users/sign-up-rules.js';
import type { RealmId } from '../../users/user.repository.js';
import type { ProjectSignUpBody } from './dto/session.js';
import { InvitationExpiry } from './invitations/invitation-expiry.js';

/** Sign-up in a project. An expired invitation does not block an address. */
@Injectable()
export class ProjectSignUp {
  constructor(
    private readonly registration: SignUp,
    private readonly rules: SignUpRules,
    private readonly expiry: InvitationExpiry,
    private readonly metrics: AuthMetrics,
  ) {}

  /**
   * @param by the caller's key: with the service key, the project itself creates the account, whatever
   *   `identity.sign_up` says
   * @throws sign_up_closed, validation_failed, weak_password, email_taken, rate_limited, overloaded
   */
  async signUp(
    realmId: RealmId,
    { email, password, locale = null }: ProjectSignUpBody,
    by: ProjectKeyCaller['role'],
    origin: Origin,
  ): Promise<TokenPair> {
    return await this.metrics.counted('sign_up', async () => {
      if (by === 'anon') this.rules.requireOpen();
      await this.expiry.freeAddress(realmId, email);
      const registration = { email, password, metadata: NO_METADATA, locale };
      return by === 'anon'
        ? await this.registration.signUp(realmId, registration, origin)
        : await this.registration.register(realmId, registration, origin);
    });
  }
}
