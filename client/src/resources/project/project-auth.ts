import type { CallOptions } from '../../http/call.js';
import type { List } from '../../http/list.js';
import type { CodeExchange, RedirectOptions, ReturnOptions } from '../../redirects.js';
import { usePasskey } from '../../passkeys.js';
import type { SignInChallenge } from '../../service-error.js';
import type { Session } from '../../session/session.js';
import type { SessionKeeper } from '../../session/session-keeper.js';
import type { AddressChange, Jwks, OwnSession } from '../../shapes.js';
import type { Credentials } from '../auth.js';
import { SessionAuth } from '../session-auth.js';
import { Factors } from '../factors.js';
import type { SecondFactor } from '../sign-in.js';
import { passkeyProof, secondFactorBody, signedIn } from '../sign-in.js';
import type { SignedIn } from '../sign-in.js';
import type { Paged, ProjectApi } from '../apis.js';
import { ProjectEnrolment } from './project-enrolment.js';
import type {
  Invited,
  ProjectUser,
  SignInBody,
  SignInSettings,
  SignInSettingsChange,
} from './project-shapes.js';

interface NewPassword {
  /** From the link of the mail. */
  readonly token: string;
  readonly password: string;
  /** If the mail was requested with a challenge. */
  readonly code_verifier?: string | undefined;
}

/** Signs in, or completes a sign-in. */
async function tokenOf(
  api: ProjectApi,
  keeper: SessionKeeper<ProjectUser>,
  body: SignInBody,
  signal: AbortSignal | undefined,
): Promise<SignedIn<ProjectUser>> {
  const answer = await api.post('/auth/v1/token', { body, as: 'nobody', signal });
  // The answer to a refresh does not have it.
  if (answer.user === undefined) throw new TypeError('The service answered a sign-in without the user.');
  return await signedIn(keeper, answer, answer.user);
}

interface ProjectSignUp extends Credentials {
  /** Language of mails and pages, as a BCP 47 tag. */
  readonly locale?: string | undefined;
}

/** A new password needs the current one. */
interface ProjectUserChange {
  /** A BCP 47 tag; null for none. */
  readonly locale?: string | null | undefined;
  readonly password?: string | undefined;
  readonly current_password?: string | undefined;
}

/** Accounts and sessions of a project. */
export class ProjectAuth extends SessionAuth<ProjectUser> {
  readonly factors: Factors;
  /** Adds the first factor during a sign-in, if the project requires one. */
  readonly enrolment: ProjectEnrolment;

  constructor(
    private readonly api: ProjectApi,
    keeper: SessionKeeper<ProjectUser>,
  ) {
    super(keeper);
    this.factors = new Factors(api);
    this.enrolment = new ProjectEnrolment(api, keeper);
  }

  /** Creates an account and signs it in. */
  async signUp(
    { email, password, locale }: ProjectSignUp,
    { signal }: CallOptions = {},
  ): Promise<SignedIn<ProjectUser>> {
    const body = { email, password, locale };
    const answer = await this.api.post('/auth/v1/signup', { body, as: 'nobody', signal });
    return await signedIn(this.keeper, answer, answer.user);
  }

  async signIn(
    { email, password }: Credentials,
    { signal }: CallOptions = {},
  ): Promise<SignedIn<ProjectUser>> {
    return await tokenOf(this.api, this.keeper, { email, password }, signal);
  }

  /** Signs in with the code that the page of a mail added to a redirect URL. */
  async exchangeCode(exchange: CodeExchange, { signal }: CallOptions = {}): Promise<SignedIn<ProjectUser>> {
    const answer = await this.api.post('/auth/v1/token', { body: { ...exchange }, as: 'nobody', signal });
    if (answer.user === undefined) throw new TypeError('The service answered a sign-in without the user.');
    return await signedIn(this.keeper, answer, answer.user);
  }

  /** Completes a sign-in that was refused with `second_factor_required`. */
  async completeSignIn(body: SecondFactor, { signal }: CallOptions = {}): Promise<SignedIn<ProjectUser>> {
    return await tokenOf(this.api, this.keeper, secondFactorBody(body), signal);
  }

  /** Completes a sign-in with a passkey of this browser. */
  async completeSignInWithPasskey(
    challenge: SignInChallenge,
    options: CallOptions = {},
  ): Promise<SignedIn<ProjectUser>> {
    return await this.completeSignIn(await passkeyProof(challenge, options.signal), options);
  }

  /** Signs in with only a passkey of this browser. */
  async signInWithPasskey({ signal }: CallOptions = {}): Promise<SignedIn<ProjectUser>> {
    const { challenge_token, passkey_options } = await this.api.post('/auth/v1/passkeys/options', {
      as: 'nobody',
      signal,
    });
    const credential = { ...(await usePasskey(passkey_options, signal)) };
    return await tokenOf(this.api, this.keeper, { challenge_token, credential }, signal);
  }

  /** Ends the session here and in the service. */
  async signOut({ signal }: CallOptions = {}): Promise<void> {
    await this.keeper.end(async ({ refresh_token }: Session<ProjectUser>) => {
      await this.api.post('/auth/v1/logout', { body: { refresh_token }, as: 'nobody', signal });
    });
  }

  async user({ signal }: CallOptions = {}): Promise<ProjectUser> {
    return await this.api.get('/auth/v1/user', { signal });
  }

  /** Changes the caller's language or password. A new password ends all other sessions. */
  async update(change: ProjectUserChange, { signal }: CallOptions = {}): Promise<ProjectUser> {
    const user = await this.api.patch('/auth/v1/user', { body: { ...change }, signal });
    await this.keeper.learn(user);
    return user;
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

  /**
   * Requests a mail with a magic link, which also creates a missing account. The answer is the same for every address.
   */
  async signInWithMagicLink(email: string, { signal, ...returning }: ReturnOptions = {}): Promise<void> {
    await this.api.post('/auth/v1/magic-link', { body: { email, ...returning }, as: 'nobody', signal });
  }

  /**
   * Signs in with the token of a magic link. @param options the verifier, if the link was requested with a challenge
   */
  async verify(
    token: string,
    { signal, code_verifier }: Pick<CodeExchange, 'code_verifier'> & CallOptions = {},
  ): Promise<SignedIn<ProjectUser>> {
    const body = { token, code_verifier };
    const answer = await this.api.post('/auth/v1/verify', { body, as: 'nobody', signal });
    return await signedIn(this.keeper, answer, answer.user);
  }

  /** Requests a mail with a link to set a new password. The answer is the same for every address. */
  async recover(email: string, { signal, ...returning }: ReturnOptions = {}): Promise<void> {
    await this.api.post('/auth/v1/recover', { body: { email, ...returning }, as: 'nobody', signal });
  }

  /** Sets a new password, and signs in. */
  async completeRecovery(
    { token, password, code_verifier }: NewPassword,
    { signal }: CallOptions = {},
  ): Promise<SignedIn<ProjectUser>> {
    const body = { token, password, code_verifier };
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

  /** What the project requires of sign-ins, and the owner of its passkeys. Needs the service key. */
  async signInSettings({ signal }: CallOptions = {}): Promise<SignInSettings> {
    return await this.api.get('/auth/v1/sign-in-settings', { signal });
  }

  /** Changes the given settings. Needs the service key. */
  async changeSignInSettings(
    change: SignInSettingsChange,
    { signal }: CallOptions = {},
  ): Promise<SignInSettings> {
    return await this.api.patch('/auth/v1/sign-in-settings', { body: { ...change }, signal });
  }

  /** Invites an address by mail. Needs the service key. */
  async invite(email: string, { signal, ...returning }: RedirectOptions = {}): Promise<Invited> {
    return await this.api.post('/auth/v1/invite', { body: { email, ...returning }, signal });
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

  /** The public key that verifies access tokens. `@service/client/verify` uses it. */
  async keys({ ref, signal }: { ref?: string } & CallOptions = {}): Promise<Jwks> {
    return await this.api.get('/auth/v1/keys', { query: { ref }, as: 'nobody', signal });
  }
}
