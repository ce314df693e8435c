import type { CallOptions } from '../../http/call.js';
import type { List } from '../../http/list.js';
import type { Session } from '../../session/session.js';
import type { SessionKeeper } from '../../session/session-keeper.js';
import type { Jwks, OwnSession } from '../../shapes.js';
import type { Credentials } from '../auth.js';
import { SessionAuth } from '../session-auth.js';
import { signedIn } from '../sign-in.js';
import type { SignedIn } from '../sign-in.js';
import type { Paged, ProjectApi } from '../apis.js';
import type { Invited, ProjectUser } from './project-shapes.js';

interface NewPassword {
  /** From the link of the mail. */
  readonly token: string;
  readonly password: string;
}

/** Accounts and sessions of a project. */
export class ProjectAuth extends SessionAuth<ProjectUser> {
  constructor(
    private readonly api: ProjectApi,
    keeper: SessionKeeper<ProjectUser>,
  ) {
    super(keeper);
  }

  /** Makes an account and signs it in. */
  async signUp(
    { email, password }: Credentials,
    { signal }: CallOptions = {},
  ): Promise<SignedIn<ProjectUser>> {
    const body = { email, password };
    const answer = await this.api.post('/auth/v1/signup', { body, as: 'nobody', signal });
    return await signedIn(this.keeper, answer, answer.user);
  }

  async signIn(
    { email, password }: Credentials,
    { signal }: CallOptions = {},
  ): Promise<SignedIn<ProjectUser>> {
    const body = { email, password };
    const answer = await this.api.post('/auth/v1/token', { body, as: 'nobody', signal });
    // A refresh alone is answered without it.
    if (answer.user === undefined) throw new TypeError('The service answered a sign-in without the user.');
    return await signedIn(this.keeper, answer, answer.user);
  }

  /** Ends the session here and at the service. */
  async signOut({ signal }: CallOptions = {}): Promise<void> {
    await this.keeper.end(async ({ refresh_token }: Session<ProjectUser>) => {
      await this.api.post('/auth/v1/logout', { body: { refresh_token }, as: 'nobody', signal });
    });
  }

  async user({ signal }: CallOptions = {}): Promise<ProjectUser> {
    return await this.api.get('/auth/v1/user', { signal });
  }

  /** The user's live sessions, newest first. */
  sessions({ limit, signal }: Paged & CallOptions = {}): List<OwnSession> {
    return this.api.list('/auth/v1/sessions', { query: { limit }, signal });
  }

  async revokeSession(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete('/auth/v1/sessions/{id}', { parameters: { id }, signal });
  }

  /** Ends the user's sessions except for this one. */
  async revokeOtherSessions({ signal }: CallOptions = {}): Promise<void> {
    await this.api.delete('/auth/v1/sessions', { signal });
  }

  /** Asks for a mail that signs in, and that makes an account where there is none; answered alike for every address. */
  async signInWithMagicLink(email: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.post('/auth/v1/magic-link', { body: { email }, as: 'nobody', signal });
  }

  /** Signs in with the token of a magic link. */
  async verify(token: string, { signal }: CallOptions = {}): Promise<SignedIn<ProjectUser>> {
    const answer = await this.api.post('/auth/v1/verify', { body: { token }, as: 'nobody', signal });
    return await signedIn(this.keeper, answer, answer.user);
  }

  /** Asks for a mail that leads to a new password; answered alike for every address. */
  async recover(email: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.post('/auth/v1/recover', { body: { email }, as: 'nobody', signal });
  }

  /** Sets a new password, and signs in. */
  async completeRecovery(
    { token, password }: NewPassword,
    { signal }: CallOptions = {},
  ): Promise<SignedIn<ProjectUser>> {
    const body = { token, password };
    const answer = await this.api.post('/auth/v1/recover/complete', { body, as: 'nobody', signal });
    return await signedIn(this.keeper, answer, answer.user);
  }

  /** Invites an address by mail; with the service key. */
  async invite(email: string, { signal }: CallOptions = {}): Promise<Invited> {
    return await this.api.post('/auth/v1/invite', { body: { email }, signal });
  }

  /** Sets the password of an invited account, and signs in. */
  async acceptInvite(
    { token, password }: NewPassword,
    { signal }: CallOptions = {},
  ): Promise<SignedIn<ProjectUser>> {
    const body = { token, password };
    const answer = await this.api.post('/auth/v1/invite/accept', { body, as: 'nobody', signal });
    return await signedIn(this.keeper, answer, answer.user);
  }

  /** The public key that verifies access tokens; `@service/client/verify` does it. */
  async keys({ ref, signal }: { ref?: string } & CallOptions = {}): Promise<Jwks> {
    return await this.api.get('/auth/v1/keys', { query: { ref }, as: 'nobody', signal });
  }
}
