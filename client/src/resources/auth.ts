import type { CallOptions } from '../http/call.js';
import type { List } from '../http/list.js';
import type { Session } from '../session/session.js';
import type { SessionKeeper } from '../session/session-keeper.js';
import type { AuditEntry, CurrentUser, Jwks, OwnSession, User } from '../shapes.js';
import type { OrganizationApi, Paged } from './apis.js';
import { SessionAuth } from './session-auth.js';
import { signedIn } from './sign-in.js';
import type { SignedIn } from './sign-in.js';

export interface SignUp {
  readonly email: string;
  readonly password: string;
  readonly metadata?: Record<string, unknown> | undefined;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** A JSON merge patch (RFC 7396) of the metadata, a new password with the one that it replaces, or both. */
export interface UserChange {
  readonly metadata?: Record<string, unknown> | undefined;
  readonly password?: string | undefined;
  readonly current_password?: string | undefined;
}

/** `local` is this session, `others` all but this one. */
export type SignOutScope = 'local' | 'others' | 'global';

/** Accounts and sessions of the organization profile. */
export class Auth extends SessionAuth<User> {
  constructor(
    private readonly api: OrganizationApi,
    keeper: SessionKeeper<User>,
  ) {
    super(keeper);
  }

  /** Makes an account and signs it in. */
  async signUp({ email, password, metadata }: SignUp, { signal }: CallOptions = {}): Promise<SignedIn<User>> {
    const body = { email, password, metadata };
    const answer = await this.api.post('/auth/v1/signup', { body, as: 'nobody', signal });
    return await signedIn(this.keeper, answer.session, answer.user);
  }

  async signIn({ email, password }: Credentials, { signal }: CallOptions = {}): Promise<SignedIn<User>> {
    const answer = await this.api.post('/auth/v1/token', {
      query: { grant_type: 'password' },
      body: { email, password },
      as: 'nobody',
      signal,
    });
    return await signedIn(this.keeper, answer, answer.user);
  }

  /** Ends the session here and at the service; with another scope the user's others, or all. */
  async signOut({ scope = 'local', signal }: { scope?: SignOutScope } & CallOptions = {}): Promise<void> {
    const leave = async ({ refresh_token }: Session<User>): Promise<void> => {
      await this.api.post('/auth/v1/logout', { body: { refresh_token, scope }, as: 'nobody', signal });
    };
    if (scope !== 'others') {
      await this.keeper.end(leave);
      return;
    }
    await this.api.post('/auth/v1/logout', { body: { scope }, signal });
  }

  async user({ signal }: CallOptions = {}): Promise<CurrentUser> {
    return await this.api.get('/auth/v1/user', { signal });
  }

  /** Changes the caller's metadata or password; a new password ends every other session. */
  async update(change: UserChange, { signal }: CallOptions = {}): Promise<CurrentUser> {
    const user = await this.api.patch('/auth/v1/user', { body: { ...change }, signal });
    await this.keeper.learn(user);
    return user;
  }

  /** Deletes the caller's account. */
  async delete(password: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete('/auth/v1/user', { body: { password }, signal });
    await this.keeper.forget();
  }

  /** The caller's own audit entries, newest first. */
  audit({ limit, signal }: Paged & CallOptions = {}): List<AuditEntry> {
    return this.api.list('/auth/v1/user/audit', { query: { limit }, signal });
  }

  sessions({ limit, signal }: Paged & CallOptions = {}): List<OwnSession> {
    return this.api.list('/auth/v1/sessions', { query: { limit }, signal });
  }

  async revokeSession(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete('/auth/v1/sessions/{id}', { parameters: { id }, signal });
  }

  /** @param token from the link of the mail */
  async verify(token: string, { signal }: CallOptions = {}): Promise<User> {
    const { user } = await this.api.post('/auth/v1/verify', { body: { token }, as: 'nobody', signal });
    await this.keeper.learn(user);
    return user;
  }

  async resendVerification({ signal }: CallOptions = {}): Promise<void> {
    await this.api.post('/auth/v1/verify/resend', { signal });
  }

  /** Asks for a mail that leads to a new password; answered alike for every address. */
  async recover(email: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.post('/auth/v1/recover', { body: { email }, as: 'nobody', signal });
  }

  /** Sets a new password, and signs in. */
  async completeRecovery(
    { token, password }: { token: string; password: string },
    { signal }: CallOptions = {},
  ): Promise<SignedIn<User>> {
    const body = { token, password };
    const answer = await this.api.post('/auth/v1/recover/complete', { body, as: 'nobody', signal });
    return await signedIn(this.keeper, answer, answer.user);
  }

  /** The public keys that verify access tokens; `@service/client/verify` does it. */
  async keys({ signal }: CallOptions = {}): Promise<Jwks> {
    return await this.api.get('/auth/v1/keys', { as: 'nobody', signal });
  }
}
