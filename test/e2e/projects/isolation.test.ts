import { Client } from '../../support/client.js';
import { askHost } from '../../support/hosts.js';
import { createProject, createProjectEnvironment } from '../../support/project-environment.js';
import type { ProjectEnvironment, TestProject } from '../../support/project-environment.js';
import { createProjectUser } from '../../support/project-users.js';
import type { ProjectUser } from '../../support/project-users.js';
import { programRoutes } from '../../support/routes.js';
import type { Route } from '../../support/routes.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

type Refusal = { error: { code: string } };

describe('two projects', () => {
  let environment: ProjectEnvironment;
  let service: ServiceInProcess;
  let client: Client;
  let mine: TestProject;
  let theirs: TestProject;
  let myUser: ProjectUser;
  let theirUser: ProjectUser;
  let routes: Route[];

  beforeAll(async () => {
    environment = await createProjectEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    client = new Client(service.url);
    mine = await createProject(service.url, environment.adminToken, ['auth.mine.example.com']);
    theirs = await createProject(service.url, environment.adminToken, ['auth.theirs.example.com']);
    myUser = await createProjectUser(service, mine, 'ada@example.com');
    theirUser = await createProjectUser(service, theirs, 'ada@example.com');
    routes = (await programRoutes('project')).filter(
      ({ access }) => access !== undefined && !['public', 'addressed', 'operator'].includes(access),
    );
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  function pathOf({ path }: Route): string {
    return path.replaceAll(/\{\w+\}/g, 'x');
  }

  it('keep apart users with one address', () => {
    expect(myUser.userId).not.toBe(theirUser.userId);
  });

  it('are never mixed in one request, on any route, whatever names the other', async () => {
    expect(routes.length).toBeGreaterThan(4);
    const keys = [theirs.anonKey, theirs.serviceKey, theirUser.accessToken];
    for (const route of routes) {
      for (const key of keys) {
        for (const [host, headers] of [
          ['auth.mine.example.com', { authorization: `Bearer ${key}` }],
          [`${mine.ref}.projects.test`, { apikey: key }],
          ['localhost', { authorization: `Bearer ${mine.serviceKey}`, apikey: key }],
          ['localhost', { authorization: `Bearer ${key}`, apikey: mine.anonKey }],
          ['localhost', { authorization: `Bearer ${mine.serviceKey}`, 'x-service-project': theirs.ref }],
        ] as const) {
          const answer = await askHost(service.url, host, pathOf(route), { method: route.method, headers });
          expect([route.method, route.path, host, answer.status, answer.code]).toEqual([
            route.method,
            route.path,
            host,
            403,
            'project_mismatch',
          ]);
        }
      }
    }
  });

  it('cannot be distinguished without a valid token: an invalid token is refused before the host is checked', async () => {
    const headers = { authorization: `Bearer ${theirs.anonKey.slice(0, -2)}xx` };
    const answer = await askHost(service.url, 'auth.mine.example.com', '/jobs/v1/runs', { headers });
    expect([answer.status, answer.code]).toEqual([401, 'invalid_api_key']);
  });

  it('show a JWKS each by its own host, key or ref', async () => {
    const kidOf = (body: Record<string, unknown> | null): string | undefined =>
      (body as { keys?: { kid: string }[] } | null)?.keys?.[0]?.kid;
    const byRef = kidOf((await client.get(`/auth/v1/keys?ref=${mine.ref}`)).body);
    const byHost = kidOf((await askHost(service.url, 'Auth.Mine.Example.COM.:8080', '/auth/v1/keys')).body);
    const bySubdomain = kidOf(
      (await askHost(service.url, `${mine.ref}.Projects.Test`, '/auth/v1/keys')).body,
    );
    const byKey = kidOf((await mine.anon.get('/auth/v1/keys')).body);
    expect([byHost, bySubdomain, byKey]).toEqual([byRef, byRef, byRef]);
    expect(kidOf((await client.get(`/auth/v1/keys?ref=${theirs.ref}`)).body)).not.toBe(byRef);
    expect(await theirs.anon.get(`/auth/v1/keys?ref=${mine.ref}`)).toMatchObject({
      status: 403,
      body: { error: { code: 'project_mismatch' } },
    });
    expect(await client.get('/auth/v1/keys?ref=nobody')).toMatchObject({
      status: 404,
      body: { error: { code: 'project_not_found' } },
    });
    expect((await client.get('/auth/v1/keys')).status).toBe(400);
  });

  describe('and a host that names none', () => {
    it.each([
      'localhost',
      'auth.nobody.example.com',
      'mine.example.com',
      'nobody.projects.test',
      '127.0.0.1',
    ])('such as %s are 400 project_required', async (host) => {
      const answer = await askHost(service.url, host, '/auth/v1/keys');
      expect([answer.status, answer.code]).toEqual([400, 'project_required']);
    });

    it.each([
      ['X-Forwarded-Host', 'auth.mine.example.com'],
      ['Forwarded', 'host=auth.mine.example.com'],
      ['X-Original-Host', 'auth.mine.example.com'],
      ['X-Host', 'auth.mine.example.com'],
    ])('do not come to name one by %s', async (name, value) => {
      const headers = { [name]: value };
      const unknown = await askHost(service.url, 'localhost', '/auth/v1/keys', { headers });
      expect([unknown.status, unknown.code]).toEqual([400, 'project_required']);
      const theirHost = await askHost(service.url, 'auth.theirs.example.com', '/auth/v1/keys', { headers });
      const { body } = await client.get(`/auth/v1/keys?ref=${theirs.ref}`);
      expect(theirHost.body).toEqual(body);
    });
  });

  it('give the anon key and anonymous callers no job, and a user only the jobs that are open to users', async () => {
    const refusals: [Client, number, string][] = [
      [client.with({ 'x-forwarded-host': 'auth.mine.example.com' }), 400, 'project_required'],
      [mine.anon, 403, 'permission_denied'],
      [client.as(mine.anonKey), 403, 'permission_denied'],
    ];
    for (const [caller, status, code] of refusals) {
      expect(await caller.get<Refusal>('/jobs/v1/runs')).toMatchObject({ status, body: { error: { code } } });
      expect(await caller.post<Refusal>('/jobs/v1/jobs', { jobs: [] })).toMatchObject({
        status,
        body: { error: { code } },
      });
    }
    const nobody = await askHost(service.url, 'auth.mine.example.com', '/jobs/v1/runs');
    expect([nobody.status, nobody.code]).toEqual([401, 'unauthenticated']);
    expect((await myUser.client.post('/jobs/v1/jobs', { jobs: [] })).status).toBe(403);
    expect((await mine.service.post('/jobs/v1/jobs', { jobs: [] })).status).toBe(200);
    expect((await client.as(mine.serviceKey).post('/jobs/v1/jobs', { jobs: [] })).status).toBe(200);
  });

  it('put a refused user on record, but not the public anon key, which would be anyone', async () => {
    const denied = (): Promise<{ actor_type: string }[]> =>
      environment.database.query(
        `SELECT actor_type FROM audit_entries WHERE org_id = $1 AND action = 'permission.denied'`,
        [mine.id],
      );
    const before = await denied();
    await mine.anon.post('/jobs/v1/jobs', { jobs: [] });
    await myUser.client.post('/jobs/v1/jobs', { jobs: [] });
    expect((await denied()).slice(before.length)).toEqual([{ actor_type: 'user' }]);
  });

  it('take the user of Authorization for the caller beside an anon key in apikey', async () => {
    expect((await myUser.client.with({ apikey: mine.anonKey }).get('/jobs/v1/runs')).status).toBe(200);
    const bad = myUser.client.with({ apikey: 'made-up' });
    expect(await bad.get<Refusal>('/jobs/v1/runs')).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_api_key' } },
    });
  });

  it('cost a request that is authenticated and resolved no SQL once the cache is warm', async () => {
    await service.hearOfChanges();
    await myUser.client.post('/jobs/v1/jobs/x/trigger', { payload: 1 });
    const statements = await service.statementsOf(async () => {
      await mine.anon.get('/auth/v1/keys');
      await askHost(service.url, 'auth.mine.example.com', '/auth/v1/keys');
      await myUser.client.post('/jobs/v1/jobs/x/trigger', { payload: 1 });
    });
    // The host was not warm before; then it is.
    expect(statements.length).toBeLessThanOrEqual(1);
    const again = await service.statementsOf(async () => {
      await askHost(service.url, 'auth.mine.example.com', '/auth/v1/keys');
      await myUser.client.post('/jobs/v1/jobs/x/trigger', { payload: 1 });
    });
    expect(again).toEqual([]);
  });
});
