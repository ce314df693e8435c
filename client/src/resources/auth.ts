import type { CallOptions } from '../http/call.js';
import type { List } from '../http/list.js';
import type { CodeExchange, ReturnOptions } from '../redirects.js';
import { usePasskey } from '../passkeys.js';
import type { SignInChallenge } from '../service-error.js';
import type { Session } from '../session/session.js';
import type { SessionKeeper } from '../session/session-keeper.js';
import type { AddressChange, AuditEntry, CurrentUser, Jwks, OwnSession, User } from '../shapes.js';
import type { OrganizationApi, Paged } from './apis.js';
import { Factors } from './factors.js';
import { SessionAuth } from './session-auth.js';
import { passkeyProof, secondFactorBody, signedIn } from './sign-in.js';
import type { SecondFactor, SignedIn } from './sign-in.js';

export interface SignUp {
  readonly email: string;
  readonly password: string;
  readonly metadata?: Record<string, unknown> | undefined;
  /** Language of mails and pages, as a BCP 47 tag. */
  readonly locale?: string | undefined;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** A JSON merge patch (RFC 7396) of the metadata, a language, or a new password together with the current one. */
export interface UserChange {
  readonly metadata?: Record<string, unknown> | undefined;
  /** A BCP 47 tag; null for none. */
  readonly locale?: string | null | undefined;
  readonly password?: string | undefined;
  readonly current_password?: string | undefined;
}

/** `local` is this session, `others` all but this one. */
export type SignOutScope = 'local' | 'others' | 'global';

/** Accounts and sessions of the organization profile. */
export class Auth extends SessionAuth<User> {
  readonly factors: Factors;

  constructor(
    private readonly api: OrganizationApi,
    keeper: SessionKeeper<User>,
  ) {
    super(keeper);
    this.factors = new Factors(api);
  }

  /** Creates an account and signs it in. @param options where the page of the verification mail ends */
  async signUp(
    { email, password, metadata, locale }: SignUp,
    { signal, ...returning }: ReturnOptions = {},
  ): Promise<SignedIn<User>> {
    const body = { email, password, metadata, locale, ...returning };
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

  /** Signs in with the code that the page of a mail added to a redirect URL. */
  async exchangeCode(exchange: CodeExchange, { signal }: CallOptions = {}): Promise<SignedIn<User>> {
    const answer = await this.api.post('/auth/v1/token', {
      query: { grant_type: 'code' },
      body: { ...exchange },
      as: 'nobody',
      signal,
    });
    return await signedIn(this.keeper, answer, answer.user);
  }

  /** Completes a sign-in that was refused with `second_factor_required`. */
  async completeSignIn(body: SecondFactor, { signal }: CallOptions = {}): Promise<SignedIn<User>> {
    const answer = await this.api.post('/auth/v1/token', {
      query: { grant_type: 'second_factor' },
      body: secondFactorBody(body),
      as: 'nobody',
      signal,
    });
    return await signedIn(this.keeper, answer, answer.user);
  }

  /** Completes a sign-in with a passkey of this browser. */
  async completeSignInWithPasskey(
    challenge: SignInChallenge,
    options: CallOptions = {},
  ): Promise<SignedIn<User>> {
    return await this.completeSignIn(await passkeyProof(challenge, options.signal), options);
  }

  /** Signs in with only a passkey of this browser. */
  async signInWithPasskey({ signal }: CallOptions = {}): Promise<SignedIn<User>> {
    const begun = await this.api.post('/auth/v1/passkeys/options', { as: 'nobody', signal });
    const credential = { ...(await usePasskey(begun.passkey_options, signal)) };
    const answer = await this.api.post('/auth/v1/token', {
      query: { grant_type: 'passkey' },
      body: { challenge_token: begun.challenge_token, credential },
      as: 'nobody',
      signal,
    });
    return await signedIn(this.keeper, answer, answer.user);
  }

  /** Ends the session here and in the service; with another scope, the user's other sessions, or all. */
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

  /** Changes the caller's metadata, language or password. A new password ends all other sessions. */
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

  async resendVerification({ signal, ...body }: ReturnOptions = {}): Promise<void> {
    await this.api.post('/auth/v1/verify/resend', { body, signal });
  }

  /** Requests a mail with a link to set a new password. The answer is the same for every address. */
  async recover(email: string, { signal, ...returning }: ReturnOptions = {}): Promise<void> {
    await this.api.post('/auth/v1/recover', { body: { email, ...returning }, as: 'nobody', signal });
  }

  /** Sets a new password, and signs in. */
  async completeRecovery(
    body: { token: string; password: string; code_verifier?: string | undefined },
    { signal }: CallOptions = {},
  ): Promise<SignedIn<User>> {
    const answer = await this.api.post('/auth/v1/recover/complete', { body, as: 'nobody', signal });
    return await signedIn(this.keeper, answer, answer.user);
  }

  /** Requests a link to a new address, which then replaces the account's. Needs a recent proof. */
  async changeEmail(email: string, { signal, ...returning }: ReturnOptions = {}): Promise<AddressChange> {
    return await this.api.post('/auth/v1/user/email', { body: { email, ...returning }, signal });
  }

  /** Changes the address to the new one, with the token of its mail. */
  async completeEmailChange(token: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.post('/auth/v1/user/email/complete', { body: { token }, as: 'nobody', signal });
  }

  /** The public keys that verify access tokens. `@service/client/verify` uses them. */
  async keys({ signal }: CallOptions = {}): Promise<Jwks> {
    return await this.api.get('/auth/v1/keys', { as: 'nobody', signal });
  }
}
