import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { GoTrueClient } from '@supabase/auth-js';
import type { GoTrueClientOptions } from '@supabase/auth-js';
import { PASSWORD } from '../../../support/client.js';
import { createProject, createProjectEnvironment } from '../../../support/project-environment.js';
import type { ProjectEnvironment, TestProject } from '../../../support/project-environment.js';
import { ServiceProcess } from '../../../support/service-process.js';

const EXAMPLE = new URL('../../../../examples/supabase-auth/', import.meta.url);

describe("Supabase's auth client with the adapter of the examples", () => {
  let environment: ProjectEnvironment;
  let service: ServiceProcess;
  let project: TestProject;
  let serviceFetch: typeof fetch;
  const clients: GoTrueClient[] = [];

  beforeAll(async () => {
    environment = await createProjectEnvironment();
    service = await ServiceProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    project = await createProject(service.url ?? '', environment.adminToken);
    ({ serviceFetch } = (await import(new URL('adapter.mjs', EXAMPLE).href)) as {
      serviceFetch: typeof fetch;
    });
  });

  afterAll(async () => {
    // Those that are signed in would go on to refresh.
    await Promise.all(clients.map((client) => client.stopAutoRefresh()));
    await service.stop();
    await environment.dispose();
  });

  function newClient(options: GoTrueClientOptions = {}): GoTrueClient {
    const client = new GoTrueClient({
      url: `${service.url ?? ''}/auth/v1`,
      headers: { apikey: project.anonKey },
      fetch: serviceFetch,
      persistSession: false,
      storageKey: randomBytes(6).toString('hex'),
      ...options,
    });
    clients.push(client);
    return client;
  }

  function newAccount(): { email: string; password: string } {
    return { email: `${randomBytes(6).toString('hex')}@example.com`, password: PASSWORD };
  }

  it('signs up, and has a session with what the client wants to know of it', async () => {
    const account = newAccount();
    const client = newClient();
    const { data, error } = await client.signUp(account);
    expect(error).toBeNull();
    expect(data.user).toEqual({ id: expect.any(String), email: account.email });
    expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 900, user: data.user });
    const inSeconds = (data.session?.expires_at ?? 0) - Date.now() / 1000;
    expect(inSeconds).toBeGreaterThan(800);
    expect(inSeconds).toBeLessThanOrEqual(901);
    expect((await client.getUser()).data.user).toEqual(data.user);
  });

  it('signs in, refreshes, and uses each refresh token once', async () => {
    const account = newAccount();
    await newClient().signUp(account);
    const client = newClient();
    const { data: signedIn } = await client.signInWithPassword(account);
    const { data, error } = await client.refreshSession();
    expect(error).toBeNull();
    expect(data.session?.refresh_token).not.toBe(signedIn.session?.refresh_token);
    expect(data.session).toMatchObject({ token_type: 'bearer', user: signedIn.user });
    expect((await client.getUser()).data.user).toEqual(signedIn.user);
    const used = await newClient().refreshSession({ refresh_token: signedIn.session?.refresh_token ?? '' });
    expect(used.error).toMatchObject({ status: 401, code: 'invalid_refresh_token' });
  });

  it('refreshes by itself when the access token has expired', async () => {
    const kept = new Map<string, string>();
    const client = newClient({
      persistSession: true,
      storage: {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, value: string) => void kept.set(key, value),
        removeItem: (key: string) => void kept.delete(key),
      },
    });
    const { data } = await client.signUp(newAccount());
    const [[key = '', session = ''] = []] = kept;
    kept.set(key, JSON.stringify({ ...(JSON.parse(session) as object), expires_at: Date.now() / 1000 - 1 }));
    const { data: refreshed, error } = await client.getSession();
    expect(error).toBeNull();
    expect(refreshed.session?.refresh_token).not.toBe(data.session?.refresh_token);
    expect(refreshed.session?.user).toEqual(data.user);
  });

  it('signs out, after which neither the client nor the refresh token has a session', async () => {
    const client = newClient();
    const { data } = await client.signUp(newAccount());
    expect((await client.signOut({ scope: 'others' })).error).toMatchObject({ status: 400 });
    expect((await client.getUser()).error).toBeNull();
    expect(await client.signOut()).toEqual({ error: null });
    expect((await client.getSession()).data.session).toBeNull();
    const again = await newClient().refreshSession({ refresh_token: data.session?.refresh_token ?? '' });
    expect(again.error).toMatchObject({ status: 401, code: 'invalid_refresh_token' });
  });

  it('has the code, status and message of what Service refuses', async () => {
    const account = newAccount();
    const client = newClient();
    await client.signUp(account);
    expect((await newClient().signUp(account)).error).toMatchObject({ status: 409, code: 'email_taken' });
    const wrong = await newClient().signInWithPassword({ ...account, password: 'another password' });
    expect(wrong.error).toMatchObject({
      status: 401,
      code: 'invalid_credentials',
      message: expect.stringMatching(/\w+ \w+/) as string,
    });
    expect((await newClient().signUp({ ...newAccount(), password: 'short' })).error?.status).toBe(400);
    expect((await newClient().signInWithOtp({ email: account.email })).error?.status).toBe(404);
  });

  it('goes through the walk of the example to its end', async () => {
    const walk = new URL('walk.mjs', EXAMPLE).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, [walk, service.url ?? ''], {
      env: { ...process.env, ANON_KEY: project.anonKey },
    });
    expect(stdout).toMatch(/A wrong password is refused\n$/);
  });
});
