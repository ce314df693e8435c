import { randomBytes } from 'node:crypto';
import { PASSWORD } from '../../support/client.js';
import type { Answer, Client } from '../../support/client.js';
import { tokenOf } from '../../support/mail-server.js';
import type { MailServer } from '../../support/mail-server.js';
import { startMailingProjects } from '../../support/mailing-project.js';
import { startMailingService } from '../../support/mailing-service.js';
import type { ServiceInProcess } from '../../support/service-in-process.js';
import type { TestEnvironment } from '../../support/environment.js';

/** An answer of a profile, in words of the core. */
export interface Outcome {
  readonly status: number;
  /** Of a refusal. */
  readonly code: string | undefined;
  readonly userId: string;
  readonly email: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly answer: Answer<unknown>;
}

/** What the core does, by the requests that a profile has for it. */
export interface IdentityGround {
  readonly environment: TestEnvironment;
  readonly mailServer: MailServer;
  readonly service: ServiceInProcess;
  /** How many mails a sign-up sends. */
  readonly mailsOfSignUp: number;
  /** What access tokens say of whom they are for, and by whom they were asked for. */
  readonly audience: string;
  readonly clientId: string;
  /** How long access tokens live, in seconds. */
  readonly accessTtlSecs: number;
  /** What answers a refresh of a session that has ended. */
  readonly endedSessionCode: string;
  /** Where its public keys are. */
  readonly jwks: string;
  signUp(email: string, password?: string): Promise<Outcome>;
  signIn(email: string, password?: string): Promise<Outcome>;
  /** Completes a sign-in that met a second factor. */
  completeSignIn(body: Record<string, unknown>): Promise<Outcome>;
  /** Signs in by a passkey alone. */
  signInByPasskey(body: Record<string, unknown>): Promise<Outcome>;
  /** Where its passkeys are made and used, and to whom they belong. */
  readonly passkeyOrigin: string;
  readonly relyingPartyId: string;
  /** The program, called by nobody in particular; in a project, with its anon key. */
  readonly anonymous: Client;
  /** The program, called by a user. */
  authenticated(accessToken: string): Client;
  refresh(refreshToken: string): Promise<Outcome>;
  logOut(body: Record<string, string>, accessToken?: string): Promise<Outcome>;
  user(accessToken: string): Promise<Outcome>;
  recover(email: string): Promise<Outcome>;
  completeRecovery(token: string, password: string): Promise<Outcome>;
  verify(token: string): Promise<Outcome>;
  /** Whether the tenant of the accounts demands a second factor to sign in; null where none can. */
  readonly requireFactor: ((isDemanded: boolean) => Promise<void>) | null;
  /** The program, called as whoever manages its users: the operator, or the holder of the service key. */
  readonly manager: Client;
  /** Where the manager's endpoints are. */
  readonly managed: string;
  /** The mail that the manager sends to a user, besides recovery. */
  readonly otherMail: 'verification' | 'magic_link';
  /** Exchanges the code of a redirect URL. */
  exchange(body: Record<string, string>): Promise<Outcome>;
  /** The path of a page of mails, after the program's URL. */
  pageOf(name: string): string;
  /** What the audit trail calls the manager. */
  readonly managerType: string;
  stop(): Promise<void>;
}

/** Where the pages of mails may lead. */
export const REDIRECT_URLS = ['https://app.example.com/*', 'com.example.app:/signed-in'];

const ADMIN_TOKEN = 'the-operator-of-the-identity-core';

interface Tokens {
  access_token?: string;
  refresh_token?: string;
}

interface Body extends Tokens {
  error?: { code: string };
  id?: string;
  email?: string;
  user?: { id: string; email: string };
  session?: Tokens;
}

function outcomeOf(answer: Answer<unknown>): Outcome {
  const body = (answer.body ?? {}) as Body;
  const session = body.session ?? body;
  return {
    status: answer.status,
    code: body.error?.code,
    userId: body.user?.id ?? body.id ?? '',
    email: body.user?.email ?? body.email ?? '',
    accessToken: session.access_token ?? '',
    refreshToken: session.refresh_token ?? '',
    answer,
  };
}

/** The requests that both profiles have, by a client that the profile takes. */
function requestsOf(
  client: Client,
): Pick<
  IdentityGround,
  'anonymous' | 'signUp' | 'authenticated' | 'logOut' | 'user' | 'recover' | 'completeRecovery' | 'verify'
> {
  const post = async (path: string, body: unknown, by = client): Promise<Outcome> =>
    outcomeOf(await by.post(`/auth/v1/${path}`, body));
  return {
    anonymous: client,
    authenticated: (accessToken) => client.as(accessToken),
    signUp: (email, password = PASSWORD) => post('signup', { email, password }),
    logOut: (body, accessToken) =>
      post('logout', body, accessToken === undefined ? client : client.as(accessToken)),
    user: async (accessToken) => outcomeOf(await client.as(accessToken).get('/auth/v1/user')),
    recover: (email) => post('recover', { email }),
    completeRecovery: (token, password) => post('recover/complete', { token, password }),
    verify: (token) => post('verify', { token }),
  };
}

export async function organizationGround(): Promise<IdentityGround> {
  const running = await startMailingService({
    SERVICE_ADMIN__TOKEN: ADMIN_TOKEN,
    SERVICE_IDENTITY__REDIRECT_URLS: REDIRECT_URLS.join(','),
    SERVICE_IDENTITY__PASSKEYS__RP_ID: 'example.com',
    SERVICE_IDENTITY__PASSKEYS__ORIGINS: 'https://app.example.com',
  });
  const { environment, mailServer, service, anonymous } = running;
  const grant = async (type: string, body: unknown): Promise<Outcome> =>
    outcomeOf(await anonymous.post(`/auth/v1/token?grant_type=${type}`, body));
  return {
    ...requestsOf(anonymous),
    environment,
    mailServer,
    service,
    mailsOfSignUp: 1,
    audience: 'service',
    clientId: 'service',
    accessTtlSecs: 3600,
    endedSessionCode: 'session_revoked',
    jwks: `${service.url}/auth/v1/keys`,
    signIn: (email, password = PASSWORD) => grant('password', { email, password }),
    completeSignIn: (body) => grant('second_factor', body),
    signInByPasskey: (body) => grant('passkey', body),
    passkeyOrigin: 'https://app.example.com',
    relyingPartyId: 'example.com',
    refresh: (refreshToken) => grant('refresh_token', { refresh_token: refreshToken }),
    requireFactor: null,
    manager: anonymous.as(ADMIN_TOKEN),
    managed: '/admin/v1/users',
    otherMail: 'verification',
    exchange: (body) => grant('code', body),
    pageOf: (name) => `/auth/v1/pages/${name}`,
    managerType: 'operator',
    stop: () => running.stop(),
  };
}

export async function projectGround(): Promise<IdentityGround> {
  const running = await startMailingProjects();
  const { environment, mailServer, service } = running;
  const { anon, service: manager, ref } = await running.project({ redirectUrls: REDIRECT_URLS });
  const token = async (body: unknown): Promise<Outcome> => outcomeOf(await anon.post('/auth/v1/token', body));
  return {
    ...requestsOf(anon),
    environment,
    mailServer,
    service,
    mailsOfSignUp: 0,
    audience: 'authenticated',
    clientId: ref,
    accessTtlSecs: 900,
    endedSessionCode: 'invalid_refresh_token',
    jwks: `${service.url}/auth/v1/keys?ref=${ref}`,
    signIn: (email, password = PASSWORD) => token({ email, password }),
    completeSignIn: (body) => token(body),
    signInByPasskey: (body) => token(body),
    passkeyOrigin: `https://${ref}.projects.test`,
    relyingPartyId: `${ref}.projects.test`,
    refresh: (refreshToken) => token({ refresh_token: refreshToken }),
    requireFactor: async (require_second_factor) => {
      await manager.send('PATCH', '/auth/v1/sign-in-settings', { require_second_factor });
    },
    manager,
    managed: '/auth/v1/users',
    otherMail: 'magic_link',
    exchange: (body) => token(body),
    pageOf: (name) => `/auth/v1/pages/${ref}/${name}`,
    managerType: 'project_key',
    stop: () => running.stop(),
  };
}

export function freshAddress(): string {
  return `${randomBytes(6).toString('hex')}@example.com`;
}

/** A user whose mails of the sign-up, if any, have arrived. */
export async function newUser(ground: IdentityGround): Promise<Outcome> {
  const user = await ground.signUp(freshAddress());
  if (user.status !== 201) throw new Error(`sign-up answered ${user.status} ${user.code ?? ''}`);
  if (ground.mailsOfSignUp > 0) await ground.mailServer.mailTo(user.email, ground.mailsOfSignUp);
  return user;
}

/** The token of the first recovery mail to a new user. */
export async function recoveryToken(ground: IdentityGround, { email }: Outcome): Promise<string> {
  await ground.recover(email);
  return tokenOf(await ground.mailServer.mailTo(email, ground.mailsOfSignUp + 1));
}
