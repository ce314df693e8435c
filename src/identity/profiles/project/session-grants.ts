import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../../http/index.js';
import type { Caller, Origin, ProjectKeyCaller } from '../../../http/index.js';
import type { CodeGrant, PasswordGrant, TokenAndPasswordBody, TokenSignInBody } from '../../credentials.js';
import type { SecondFactorGrant } from '../../factors/factor.dto.js';
import type { PasskeyGrant } from '../../factors/passkey.dto.js';
import type { OfferedPasskeySignIn } from '../../passkeys/passkey-sign-in-challenges.js';
import { Sessions } from '../../sessions/sessions.js';
import type { TokenPair } from '../../sessions/sessions.js';
import { UserSessions } from '../../sessions/user-sessions.js';
import { MagicLinks } from '../../sign-in/methods/magic-links.js';
import { Recovery } from '../../sign-in/methods/recovery.js';
import { SignUp } from '../../sign-in/methods/sign-up.js';
import { SignInGrants } from '../../sign-in/sign-in-grants.js';
import { SignUpRules } from '../../users/sign-up-rules.js';
import type { RealmId } from '../../users/user.repository.js';
import type { ProjectLogoutBody, ProjectSignUpBody } from './dto/session.js';
import { InvitationAcceptance } from './invitations/invitation-acceptance.js';
import { InvitationExpiry } from './invitations/invitation-expiry.js';
import { AuthMetrics } from '../../../audit/index.js';
import type { AuthEvent } from '../../../audit/index.js';
import { NO_METADATA } from '../../users/metadata.js';

/** Sign-up in a project. An expired invitation does not block an address. */
@Injectable()
export class ProjectSignUp {
  constructor(
    private readonly registration: SignUp,
    private readonly rules: SignUpRules,
    private readonly expiry: InvitationExpiry,
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
    if (by === 'anon') this.rules.requireOpen();
    await this.expiry.freeAddress(realmId, email);
    const registration = { email, password, metadata: NO_METADATA, locale };
    return by === 'anon'
      ? await this.registration.signUp(realmId, registration, origin)
      : await this.registration.register(realmId, registration, origin);
  }
}

/** Ends the session of the refresh token, or else of the access token. */
@Injectable()
export class ProjectLogout {
  constructor(private readonly sessions: UserSessions) {}

  /** @throws unauthenticated with neither */
  async logOut(
    realmId: RealmId,
    caller: Caller | undefined,
    { refresh_token: refreshToken }: ProjectLogoutBody,
    origin: Origin,
  ): Promise<void> {
    if (refreshToken !== undefined) await this.sessions.logout({ realmId, refreshToken }, 'local', origin);
    else if (caller?.type === 'user') await this.sessions.logout(caller, 'local', origin);
    else
      throw new ServiceError('unauthenticated', {
        hint: 'Send refresh_token in the body, or an access token.',
      });
  }
}

/** The requests that open or refresh sessions in a project, counted by their outcome. */
@Injectable()
export class SessionGrants {
  constructor(
    private readonly registration: ProjectSignUp,
    private readonly signIns: SignInGrants,
    private readonly sessions: Sessions,
    private readonly magicLinks: MagicLinks,
    private readonly recovery: Recovery,
    private readonly acceptance: InvitationAcceptance,
    private readonly metrics: AuthMetrics,
  ) {}

  async signUp(
    realmId: RealmId,
    body: ProjectSignUpBody,
    by: ProjectKeyCaller['role'],
    origin: Origin,
  ): Promise<TokenPair> {
    return await this.counted('sign_up', () => this.registration.signUp(realmId, body, by, origin));
  }

  async signIn(realmId: RealmId, grant: PasswordGrant, origin: Origin): Promise<TokenPair> {
    return await this.counted('sign_in', () => this.signIns.byPassword(realmId, grant, origin));
  }

  /** Completes a sign-in, whatever its first proof was. */
  async completeSignIn(realmId: RealmId, grant: SecondFactorGrant, origin: Origin): Promise<TokenPair> {
    return await this.counted('sign_in', () => this.signIns.bySecondFactor(realmId, grant, origin));
  }

  async signInByPasskey(realmId: RealmId, grant: PasskeyGrant, origin: Origin): Promise<TokenPair> {
    return await this.counted('sign_in', () => this.signIns.byPasskey(realmId, grant, origin));
  }

  /** What begins a sign-in by a passkey. */
  async passkeyOptions(realmId: RealmId): Promise<OfferedPasskeySignIn> {
    return await this.signIns.passkeyOptions(realmId);
  }

  async refresh(realmId: RealmId, token: string, origin: Origin): Promise<TokenPair> {
    return await this.counted('refresh', () => this.sessions.refresh(realmId, token, origin));
  }

  async followMagicLink(realmId: RealmId, body: TokenSignInBody, origin: Origin): Promise<TokenPair> {
    const { token, code_verifier: verifier = null } = body;
    return await this.counted('magic_link', () => this.magicLinks.signIn(realmId, token, verifier, origin));
  }

  async exchangeCode(realmId: RealmId, grant: CodeGrant, origin: Origin): Promise<TokenPair> {
    return await this.counted('sign_in', () => this.signIns.byCode(realmId, grant, origin));
  }

  async recover(realmId: RealmId, body: TokenAndPasswordBody, origin: Origin): Promise<TokenPair> {
    const { token, password, code_verifier: codeVerifier = null } = body;
    const request = { realmId, token, password, codeVerifier, origin };
    return await this.counted('recovery', () => this.recovery.complete(request));
  }

  async acceptInvitation(realmId: RealmId, body: TokenAndPasswordBody, origin: Origin): Promise<TokenPair> {
    const { token, password, code_verifier: codeVerifier = null } = body;
    const request = { realmId, token, password, codeVerifier, origin };
    return await this.counted('invitation', () => this.acceptance.accept(request));
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
