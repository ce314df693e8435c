import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../../platform/http/index.js';
import type { Origin, ProjectKeyCaller } from '../../../platform/http/index.js';
import { AuthMetrics } from '../../../platform/metrics/index.js';
import type { AuthEvent } from '../../../platform/metrics/index.js';
import type { PasswordGrant, TokenAndPasswordBody } from '../../credentials.js';
import { MagicLinks } from '../../sign-in/methods/magic-links.js';
import { PasswordSignIn } from '../../sign-in/methods/password-sign-in.js';
import { Recovery } from '../../sign-in/methods/recovery.js';
import { Sessions } from '../../sessions/sessions.js';
import type { RealmId } from '../../users/user.repository.js';
import type { TokenPair } from '../../sessions/sessions.js';
import { InvitationAcceptance } from './invitations/invitation-acceptance.js';
import { ProjectSignUp } from './project-sign-up.js';

/** The ways to a session in a project, and how often each succeeds or is refused. */
@Injectable()
export class SessionGrants {
  constructor(
    private readonly registration: ProjectSignUp,
    private readonly passwordSignIn: PasswordSignIn,
    private readonly sessions: Sessions,
    private readonly magicLinks: MagicLinks,
    private readonly recovery: Recovery,
    private readonly acceptance: InvitationAcceptance,
    private readonly metrics: AuthMetrics,
  ) {}

  async signUp(
    realmId: RealmId,
    body: PasswordGrant,
    by: ProjectKeyCaller['role'],
    origin: Origin,
  ): Promise<TokenPair> {
    return await this.counted('sign_up', () => this.registration.signUp(realmId, body, by, origin));
  }

  async signIn(realmId: RealmId, { email, password }: PasswordGrant, origin: Origin): Promise<TokenPair> {
    return await this.counted('sign_in', () => this.passwordSignIn.signIn(realmId, email, password, origin));
  }

  async refresh(realmId: RealmId, token: string, origin: Origin): Promise<TokenPair> {
    return await this.counted('refresh', () => this.sessions.refresh(realmId, token, origin));
  }

  async followMagicLink(realmId: RealmId, token: string, origin: Origin): Promise<TokenPair> {
    return await this.counted('magic_link', () => this.magicLinks.signIn(realmId, token, origin));
  }

  async recover(
    realmId: RealmId,
    { token, password }: TokenAndPasswordBody,
    origin: Origin,
  ): Promise<TokenPair> {
    return await this.counted('recovery', () => this.recovery.complete(realmId, token, password, origin));
  }

  async acceptInvitation(
    realmId: RealmId,
    { token, password }: TokenAndPasswordBody,
    origin: Origin,
  ): Promise<TokenPair> {
    return await this.counted('invitation', () =>
      this.acceptance.accept({ realmId, token, password, origin }),
    );
  }

  private async counted(event: AuthEvent, work: () => Promise<TokenPair>): Promise<TokenPair> {
    try {
      const pair = await work();
      this.metrics.record(event, 'success');
      return pair;
    } catch (error) {
      this.metrics.record(event, error instanceof ServiceError ? error.code : 'internal_error');
      throw error;
    }
  }
}
