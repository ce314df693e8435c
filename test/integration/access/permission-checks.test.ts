import { addMember, makeKey } from '../../support/api-keys.js';
import { Client, signUp, signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { fetch } from '../../support/fetch.js';
import { registerJobs, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

const HELD = ['data:*:read', 'storage:*:read', 'functions:*:invoke'];
const GATE = '/auth/v1/gate?permission=';

/** What each permission of jobs opens; RUN is a run that waits. Who may read and write jobs is told by their own suite. */
const OPENED_BY: Record<string, readonly (readonly [method: string, path: string])[]> = {
  'jobs:jobs:read': [
    ['GET', '/jobs/v1/jobs/greet/next'],
    ['GET', '/jobs/v1/schedule'],
  ],
  'jobs:jobs:write': [],
  'jobs:jobs:trigger': [['POST', '/jobs/v1/jobs/greet/trigger']],
  'jobs:runs:read': [
    ['GET', '/jobs/v1/queue'],
    ['GET', '/jobs/v1/runs'],
    ['GET', '/jobs/v1/runs/RUN'],
    ['GET', '/jobs/v1/stats'],
  ],
  'jobs:logs:read': [
    ['GET', '/jobs/v1/logs'],
    ['GET', '/jobs/v1/runs/RUN/logs'],
  ],
  'jobs:secrets:read': [],
  'jobs:secrets:write': [],
  'jobs:runs:cancel': [['POST', '/jobs/v1/runs/RUN/cancel']],
};

function identityOf({ headers }: { headers: Headers }): Record<string, string | null> {
  return Object.fromEntries(
    ['user-id', 'role', 'key-id', 'org-id'].map((name) => [name, headers.get(`x-service-${name}`)]),
  );
}

describe('other capabilities ask what a caller may do', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;
  let member: Awaited<ReturnType<typeof addMember>>;
  let key: Awaited<ReturnType<typeof makeKey>>;
  let keyClient: Client;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    owner = await signUpOwner(service.url);
    member = await addMember(service.url, environment.database, owner.orgId, HELD);
    key = await makeKey(owner.client, owner.orgId, HELD);
    keyClient = new Client(service.url).with({ 'x-api-key': key.key });
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  describe('permissions/check', () => {
    const permissions = ['data:orders:read', 'data:orders:write', 'functions:mail:invoke', 'jobs:jobs:read'];

    it('answers each permission, to a member and to a key, by bearer and by header', async () => {
      for (const client of [member.client, keyClient, new Client(service.url).as(key.key)]) {
        const { status, body, headers } = await client.post('/auth/v1/permissions/check', { permissions });
        expect(status).toBe(200);
        expect(headers.get('x-service-org-id')).toBe(owner.orgId);
        expect(body).toEqual({
          results: {
            'data:orders:read': true,
            'data:orders:write': false,
            'functions:mail:invoke': true,
            'jobs:jobs:read': false,
          },
        });
      }
    });

    it.each([
      ['nothing', {}, ['permissions']],
      ['none', { permissions: [] }, ['permissions']],
      ['more than a hundred', { permissions: Array(101).fill('a:b:c') }, ['permissions']],
      [
        'wildcards and what is no permission',
        { permissions: ['a:b:c', '*', 'data:*:read', 'a:b', 7, 'a:b:c\n'] },
        ['permissions[1]', 'permissions[2]', 'permissions[3]', 'permissions[4]', 'permissions[5]'],
      ],
      ['unknown fields', { permissions: ['a:b:c'], more: true }, ['more']],
    ])('refuses %s with 400 and the paths', async (_, body, paths) => {
      const answer = await member.client.post<{ error: { code: string; details: { path: string }[] } }>(
        '/auth/v1/permissions/check',
        body,
      );
      expect(answer.status).toBe(400);
      expect(answer.body.error.code).toBe('validation_failed');
      expect(answer.body.error.details.map(({ path }) => path)).toEqual(paths);
    });

    it('takes a hundred', async () => {
      const hundred = Array.from({ length: 100 }, (_, index) => `data:t${index}:read`);
      const { body } = await member.client.post<{ results: object }>('/auth/v1/permissions/check', {
        permissions: hundred,
      });
      expect(Object.values(body.results)).toEqual(Array(100).fill(true));
    });
  });

  describe('the gate', () => {
    it('lets a member pass, and says who and where', async () => {
      for (const method of ['GET', 'HEAD']) {
        const answer = await member.client.send(method, `${GATE}data:orders:read`);
        expect(answer).toMatchObject({ status: 204, body: null });
        expect(identityOf(answer)).toEqual({
          'user-id': member.userId,
          role: member.role,
          'key-id': null,
          'org-id': owner.orgId,
        });
      }
    });

    it('lets a key pass, and names it instead of a user', async () => {
      for (const client of [keyClient, new Client(service.url).as(key.key), keyClient.in(owner.slug)]) {
        const answer = await client.get(`${GATE}storage:files:read`);
        expect(answer.status).toBe(204);
        expect(identityOf(answer)).toEqual({
          'user-id': null,
          role: null,
          'key-id': key.id,
          'org-id': owner.orgId,
        });
      }
    });

    it('refuses callers without the permission, without saying who they are', async () => {
      for (const client of [member.client, keyClient]) {
        for (const method of ['GET', 'HEAD']) {
          const url = `${service.url}${GATE}data:orders:write`;
          const answer = await fetch(url, { method, headers: client.headers });
          await answer.text();
          expect(answer.status).toBe(403);
          expect(Object.values(identityOf(answer))).toEqual([null, null, null, null]);
        }
      }
      expect(await member.client.get(`${GATE}data:orders:write`)).toMatchObject({
        body: { error: { code: 'permission_denied' } },
      });
    });

    it('refuses strangers', async () => {
      const nobody = await signUp(service.url);
      const anonymous = new Client(service.url);
      const expectations: [Client, number, string][] = [
        [anonymous, 401, 'unauthenticated'],
        [anonymous.as('x'), 401, 'invalid_access_token'],
        [anonymous.as('svc_x'), 401, 'invalid_api_key'],
        [nobody.client, 400, 'org_required'],
        [nobody.client.in(owner.slug), 403, 'not_a_member'],
      ];
      for (const [client, status, code] of expectations) {
        expect(await client.get(`${GATE}data:orders:read`)).toMatchObject({
          status,
          body: { error: { code } },
        });
      }
    });

    it.each([
      '/auth/v1/gate',
      GATE,
      `${GATE}*`,
      `${GATE}data:*:read`,
      `${GATE}data:orders`,
      `${GATE}data:orders:read&permission=data:orders:read`,
      `${GATE}data:orders:read%0d%0aX-Service-Role:%20owner`,
    ])('refuses loudly to guess what was meant: %s', async (path) => {
      for (const client of [owner.client, member.client, keyClient]) {
        const answer = await client.get(path);
        expect(answer).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } });
        expect(answer.body).toMatchObject({ error: { details: [{ path: 'permission' }] } });
        expect(Object.values(identityOf(answer))).toEqual([null, null, null, null]);
      }
    });
  });

  it('without asking the database, once warm', async () => {
    const calls = async (): Promise<void> => {
      await member.client.get(`${GATE}data:orders:read`);
      await member.client.post('/auth/v1/permissions/check', { permissions: ['data:orders:read'] });
    };
    expect(await service.statementsOnceWarm(calls)).toEqual([]);
  });

  it('and the OpenAPI document says how', async () => {
    const { body } = await new Client(service.url).get<{
      components: { securitySchemes: object };
      paths: Record<string, Record<string, { security: object[]; parameters: object[] }>>;
    }>('/openapi.json');
    expect(body.components.securitySchemes).toMatchObject({
      api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    });
    expect(body.paths['/auth/v1/gate']?.get?.security).toEqual(
      expect.arrayContaining([{ bearer: [] }, { api_key: [] }]),
    );
    expect(body.paths['/auth/v1/user']?.get?.security).toEqual([{ bearer: [] }]);
    expect(body.paths['/auth/v1/orgs/{org}/api-keys']?.post?.parameters).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'org', in: 'path' })]),
    );
  });

  it('and each route of jobs and runs asks for its own permission, and no more', async () => {
    await environment.deploy('greet', 'export default () => Response.json({})');
    await registerJobs(owner.client, { greet: {} });
    const { id } = await trigger(owner.client, 'greet', { delay_ms: 3_600_000 });
    const all = Object.keys(OPENED_BY);
    const holding = async (permissions: string[]): Promise<Client> =>
      new Client(service.url).as((await makeKey(owner.client, owner.slug, permissions)).key);
    for (const [permission, routes] of Object.entries(OPENED_BY)) {
      const without = await holding(all.filter((other) => other !== permission));
      const withIt = await holding([permission]);
      for (const [method, template] of routes) {
        const path = template.replace('RUN', id);
        const asked = async (by: Client): Promise<number> =>
          (await by.send(method, path, method === 'POST' ? {} : undefined)).status;
        expect([method, template, await asked(without)]).toEqual([method, template, 403]);
        expect([method, template, await asked(new Client(service.url))]).toEqual([method, template, 401]);
        expect([200, 202]).toContain(await asked(withIt));
      }
    }
  });
});
