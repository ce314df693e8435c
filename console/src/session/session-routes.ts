import { createClient, MemoryStorage, ServiceError } from '@service/client';
import type { User } from '@service/client';

/** A person who has signed in. */
export interface AccountAccess {
  readonly kind: 'account';
  readonly token: string;
  readonly expiresInMs: number;
  readonly user: User;
  /** What the person may do to the deployment; null for those who are no operators. */
  readonly operator: 'full' | 'read_only' | null;
}

/** A project by its service key. */
export interface ProjectAccess {
  readonly kind: 'project';
  readonly project: { readonly id: string; readonly ref: string; readonly name: string };
  readonly serviceKey: string;
}

export type Access = AccountAccess | ProjectAccess;

/** These routes read and set the cookie, and refuse what other sites send. */
const options = {
  url: location.origin,
  storage: new MemoryStorage(),
  fetch: (url: string, init: RequestInit) => fetch(url, { ...init, credentials: 'same-origin' as const }),
};
const { api } = createClient(options);
const projects = createClient({ ...options, profile: 'project' });
const ours = { headers: { 'X-Service-Console': '1' }, as: 'nobody' } as const;

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

function accessOf({ kind, access_token, expires_in, user, operator, project, service_key }: Renewed): Access {
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
  };
}
