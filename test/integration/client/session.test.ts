import {
  createClient,
  MemoryStorage,
  OAuthNotSupportedError,
  ServiceError,
} from '../../../client/src/index.js';
import type { OrganizationClient, SessionEvent, SessionStorage } from '../../../client/src/index.js';
import { Client, PASSWORD } from '../../support/client.js';
import { authEvents } from '../../support/metrics.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { fetch } from '../../support/fetch.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

const KEY = 'session';

interface Kept {
  access_token: string;
  refresh_token: string;
  renew_at: number;
}

describe('a session of the client', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let accounts = 0;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
    });
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  async function signedUp(
    storage = new MemoryStorage(),
  ): Promise<{ client: OrganizationClient; storage: MemoryStorage; email: string }> {
    const client = createClient({ url: service.url, storage, storageKey: KEY });
    accounts += 1;
    const email = `user-${accounts}@example.com`;
    await client.auth.signUp({ email, password: PASSWORD });
    return { client, storage, email };
  }

  /** Like the memory of one program, but not known to be one's own alone. */
  function storageOfPrograms(): SessionStorage {
    const memory = new MemoryStorage();
    return {
      getItem: (key) => memory.getItem(key),
      setItem: (key, value: string) => {
        memory.setItem(key, value);
      },
      removeItem: (key) => {
        memory.removeItem(key);
      },
    };
  }

  function kept(storage: MemoryStorage): Kept {
    return JSON.parse(storage.getItem(KEY) ?? '{}') as Kept;
  }

  /** The service refuses the token, and the client does not know it: what the service says has to teach it. */
  function spoil(storage: MemoryStorage): void {
    const session = kept(storage);
    const [header = '', claims = ''] = session.access_token.split('.');
    const spoilt = {
      ...session,
      access_token: `${header}.${claims}.AAAA`,
      renew_at: Number.MAX_SAFE_INTEGER,
    };
    storage.setItem(KEY, JSON.stringify(spoilt));
  }

  async function refreshes(): Promise<number> {
    return await authEvents(new Client(service.url), 'refresh');
  }

  it.each([
    ['that the service refuses', spoil],
    [
      'that is known to have expired',
      (storage: MemoryStorage): void => {
        storage.setItem(KEY, JSON.stringify({ ...kept(storage), renew_at: 0 }));
      },
    ],
  ])('is refreshed once by twenty calls at once with a token %s', async (_case, expire) => {
    const { client, storage } = await signedUp();
    expire(storage);
    const [before, old] = [await refreshes(), kept(storage)];
    const users = await Promise.all(Array.from({ length: 20 }, () => client.auth.user()));
    expect(new Set(users.map(({ id }) => id)).size).toBe(1);
    expect((await refreshes()) - before).toBe(1);
    expect(kept(storage).refresh_token).not.toBe(old.refresh_token);
    expect([0, Number.MAX_SAFE_INTEGER]).not.toContain(kept(storage).renew_at);
  });

  it('is refreshed once by clients that share its storage', async () => {
    const { client, storage } = await signedUp();
    const others = [1, 2, 3, 4].map(() => createClient({ url: service.url, storage, storageKey: KEY }));
    spoil(storage);
    const before = await refreshes();
    await Promise.all([client, ...others].map((each) => each.auth.user()));
    expect((await refreshes()) - before).toBe(1);
  });

  it('repeats what a refused token asked for, with its body', async () => {
    const { client, storage } = await signedUp();
    spoil(storage);
    const { metadata } = await client.auth.update({ metadata: { theme: 'dark' } });
    expect(metadata).toEqual({ theme: 'dark' });
  });

  it('goes on for the others when one of those that wait for a refresh is aborted', async () => {
    const { client, storage } = await signedUp();
    spoil(storage);
    const controller = new AbortController();
    const reason = new Error('not wanted any more');
    const aborted = client.auth.refresh({ signal: controller.signal });
    const other = client.auth.user();
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    await expect(other).resolves.toMatchObject({ email: expect.any(String) });
  });

  it('is over when the service says so, and nothing else ends it', async () => {
    const { client, storage } = await signedUp();
    const events: SessionEvent[] = [];
    client.auth.onChange((event) => events.push(event));
    const unreachable = createClient({ url: 'http://127.0.0.1:9', storage, storageKey: KEY, retries: 0 });
    await expect(unreachable.auth.refresh()).rejects.toMatchObject({ code: 'network_error', status: 0 });
    expect(await client.auth.session()).not.toBeNull();

    const { refresh_token } = kept(storage);
    await new Client(service.url).post('/auth/v1/logout', { refresh_token });
    const refusal: unknown = await client.auth.refresh().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ServiceError);
    expect(refusal).toMatchObject({ code: 'session_revoked', status: 401, requestId: expect.any(String) });
    expect([await client.auth.session(), events]).toEqual([null, ['signed_out']]);
    await expect(client.auth.refresh()).rejects.toMatchObject({ code: 'signed_out' });
  });

  it('ends by signing out, also while a refresh is under way', async () => {
    const { storage } = await signedUp();
    const asked: string[] = [];
    const client = createClient({
      url: service.url,
      storage,
      storageKey: KEY,
      fetch: async (url, init) => {
        asked.push(url);
        return await fetch(url, init);
      },
    });
    const refreshing = client.auth.refresh();
    await until(() => asked.length > 0);
    await client.auth.signOut();
    const { refresh_token } = await refreshing;
    expect(storage.getItem(KEY)).toBeNull();
    const answer = await new Client(service.url).post('/auth/v1/token?grant_type=refresh_token', {
      refresh_token,
    });
    expect(answer.body).toMatchObject({ error: { code: 'session_revoked' } });
    await expect(client.auth.user()).rejects.toMatchObject({
      code: 'unauthenticated',
      hint: expect.any(String),
    });
  });

  it('tells of its beginning, refresh and end', async () => {
    const client = createClient({ url: service.url });
    const events: [SessionEvent, string | undefined][] = [];
    const stop = client.auth.onChange((event, session) => events.push([event, session?.user.email]));
    await client.auth.signUp({ email: 'events@example.com', password: PASSWORD });
    await client.auth.refresh();
    await client.auth.signOut();
    stop();
    await client.auth.signIn({ email: 'events@example.com', password: PASSWORD });
    expect(events).toEqual([
      ['signed_in', 'events@example.com'],
      ['refreshed', 'events@example.com'],
      ['signed_out', undefined],
    ]);
  });

  it('is announced only to the clients that share its storage', async () => {
    const [own, others] = [storageOfPrograms(), storageOfPrograms()];
    const [client, sharing, foreign] = [own, own, others].map((storage) =>
      createClient({ url: service.url, storage, storageKey: 'told' }),
    ) as [OrganizationClient, OrganizationClient, OrganizationClient];
    const heard: Record<string, string | undefined>[] = [];
    for (const [name, each] of Object.entries({ sharing, foreign }))
      each.auth.onChange((event, session) => heard.push({ name, event, email: session?.user.email }));
    await foreign.auth.signUp({ email: 'foreign@example.com', password: PASSWORD });
    await client.auth.signUp({ email: 'shared@example.com', password: PASSWORD });
    await until(() => heard.some(({ name }) => name === 'sharing'));
    await client.auth.signOut();
    await until(() => heard.some(({ name, event }) => name === 'sharing' && event === 'signed_out'));
    expect(heard).toEqual([
      { name: 'foreign', event: 'signed_in', email: 'foreign@example.com' },
      { name: 'sharing', event: 'signed_in', email: 'shared@example.com' },
      { name: 'sharing', event: 'signed_out', email: undefined },
    ]);
  });

  it('does nothing in its user’s name that another asked for before', async () => {
    const { storage } = await signedUp();
    spoil(storage);
    let isSent = false;
    let letGo: () => void = () => undefined;
    const signedIn = new Promise<void>((resolve) => (letGo = resolve));
    const client = createClient({
      url: service.url,
      storage,
      storageKey: KEY,
      fetch: async (url, init) => {
        if (init.method === 'PATCH' && !isSent) {
          isSent = true;
          await signedIn;
        }
        return await fetch(url, init);
      },
    });
    const asked = client.auth.update({ metadata: { of: 'the first' } });
    const refusal = expect(asked).rejects.toMatchObject({ code: 'invalid_access_token' });
    await until(() => isSent);
    await client.auth.signUp({ email: 'next@example.com', password: PASSWORD });
    letGo();
    await refusal;
    expect((await client.auth.user()).metadata).toEqual({});
  });

  it('repeats a call in the name of the one who made it', async () => {
    const { storage, email } = await signedUp();
    let answered = 0;
    const client = createClient({
      url: service.url,
      storage,
      storageKey: KEY,
      fetch: async (url, init) => {
        answered += 1;
        if (answered > 1) return await fetch(url, init);
        // Meanwhile somebody else signs in on this page.
        await signedUp(storage);
        return new Response('{}', { status: 503, headers: { 'retry-after': '0' } });
      },
    });
    await expect(client.auth.user()).resolves.toMatchObject({ email });
    expect(answered).toBeGreaterThan(1);
  });

  it('signs others out, and itself not', async () => {
    const { client, email } = await signedUp();
    const other = createClient({ url: service.url });
    await other.auth.signIn({ email, password: PASSWORD });
    expect(await client.auth.sessions().all()).toHaveLength(2);
    await client.auth.signOut({ scope: 'others' });
    await expect(other.auth.refresh()).rejects.toMatchObject({ code: 'session_revoked' });
    await expect(client.auth.refresh()).resolves.toMatchObject({ user: { email } });
  });

  it('never comes from another identity provider', () => {
    const client = createClient({ url: service.url });
    expect(() => client.auth.signInWithOAuth({ provider: 'github' })).toThrow(OAuthNotSupportedError);
  });
});
