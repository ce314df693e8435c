import { createClient, MemoryStorage, ServiceError } from '@service/client';
import type { PasskeyCredential, PasskeyRequestOptions, User } from '@service/client';
import { here } from './here.js';

/** A person who has signed in. */
export interface AccountAccess {
  readonly kind: 'account';
  readonly token: string;
  readonly expiresInMs: number;
  readonly user: User;
  /** What the person may do to the deployment; null for those who are no operators. */
  readonly operator: 'full' | 'read_only' | null;
  /** Whether the operator must add a second factor before that. */
  readonly isFactorRequired: boolean;
}

/** A project by its service key. */
export interface ProjectAccess {
  readonly kind: 'project';
  readonly project: { readonly id: string; readonly ref: string; readonly name: string };
  readonly serviceKey: string;
}

export type Access = AccountAccess | ProjectAccess;

/** Of an authenticator application, one that was written down, or of a passkey. */
export type SecondProof =
  { readonly code: string } | { readonly recovery_code: string } | { readonly credential: PasskeyCredential };

/** The routes below read and set the cookie, and refuse what other sites send. */
const { api, auth } = createClient({ ...here, storage: new MemoryStorage() });
const projects = createClient({ ...here, storage: new MemoryStorage(), profile: 'project' });
const ours = { as: 'nobody' } as const;

export type SessionOptions = Awaited<ReturnType<typeof sessionOptions>>;
type Renewed = Awaited<ReturnType<typeof refresh>>;

async function refresh() {
  return await api.post('/console/session/refresh', ours);
}

export async function sessionOptions() {
  return await api.get('/console/session/options', { as: 'nobody' });
}

/** @throws ServiceError */
export async function beginSession(body: { email: string; password: string }): Promise<Access> {
  return accessOf(await api.post('/console/session', { body, ...ours }));
}

/** Creates an account, and signs it in. @throws ServiceError */
export async function signUp(account: { email: string; password: string }): Promise<Access> {
  await auth.signUp({ ...account, locale: document.documentElement.lang });
  // A session for programs, which nobody needs beside the one of the cookie.
  await auth.signOut().catch(() => undefined);
  return await beginSession(account);
}

/** Completes a sign-in that was refused with a challenge. @throws ServiceError */
export async function completeSession(body: { challenge_token: string } & SecondProof): Promise<Access> {
  const sent = 'credential' in body ? { ...body, credential: { ...body.credential } } : body;
  return accessOf(await api.post('/console/session/second-factor', { body: sent, ...ours }));
}

/** Signs in by a passkey that `ask` gets from the person. @throws ServiceError */
export async function beginSessionWithPasskey(
  ask: (options: PasskeyRequestOptions) => Promise<PasskeyCredential>,
): Promise<Access> {
  const { challenge_token, passkey_options } = await api.post('/console/session/passkey/options', ours);
  const body = { challenge_token, credential: { ...(await ask(passkey_options)) } };
  return accessOf(await api.post('/console/session/passkey', { body, ...ours }));
}

/** Makes the account of the first operator. @throws ServiceError */
export async function setUp(body: { code: string; email: string; password: string }): Promise<Access> {
  return accessOf(await api.post('/console/session/setup', { body, ...ours }));
}

/** Opens a project by its service key. @throws ServiceError */
export async function openProject(service_key: string): Promise<Access> {
  return accessOf(await projects.api.post('/console/session/project', { body: { service_key }, ...ours }));
}

/** The session of the cookie; null when there is none any more. @throws ServiceError when the service is away */
export async function renewSession(): Promise<Access | null> {
  try {
    return accessOf(await refresh());
  } catch (error) {
    if (error instanceof ServiceError && error.status >= 400 && error.status < 500 && error.status !== 429)
      return null;
    throw error;
  }
}

export async function endSession(): Promise<void> {
  await api.delete('/console/session', ours);
}

function accessOf(answer: Renewed): Access {
  const { kind, access_token, expires_in, user, operator, factor_required, project, service_key } = answer;
  if (kind === 'project' && project !== undefined && service_key !== undefined)
    return { kind, project, serviceKey: service_key };
  if (access_token === undefined || user === undefined || expires_in === undefined)
    throw new Error('the answer is no session');
  return {
    kind: 'account',
    token: access_token,
    expiresInMs: expires_in * 1000,
    user,
    operator: operator ?? null,
    isFactorRequired: factor_required ?? false,
  };
}
