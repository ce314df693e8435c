import { Client, PASSWORD } from '../../../support/client.js';
import { askHost } from '../../../support/hosts.js';
import { createProject, createProjectEnvironment } from '../../../support/project-environment.js';
import type { ProjectEnvironment } from '../../../support/project-environment.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';
import { PROMPTLY_MS } from '../../promptly.js';
import { Followed } from '../logs/followed.js';

describe('two instances', () => {
  let environment: ProjectEnvironment;
  let first: ServiceProcess;
  let second: ServiceProcess;
  let operator: Client;

  beforeAll(async () => {
    environment = await createProjectEnvironment();
    const variables = { ...environment.variables, SERVICE_ROLE: 'api' };
    [first, second] = await Promise.all([
      ServiceProcess.start(variables),
      // This one stands behind a proxy that it trusts.
      ServiceProcess.start({
        ...variables,
        SERVICE_SERVER__TRUST_PROXY: '1',
        SERVICE_SERVER__ALLOWED_HOSTS: '127.0.0.1, *.example.com, proxy.internal',
      }),
    ]);
    operator = new Client(first.url ?? '').as(environment.adminToken);
  });

  afterAll(async () => {
    await Promise.all([first.stop(), second.stop()]);
    await environment.dispose();
  });

  function urls(): string[] {
    return [first.url ?? '', second.url ?? ''];
  }

  it.each(['service', 'anon'] as const)(
    'refuse a rotated %s key, and take the new one, within a second',
    async (key) => {
      const project = await createProject(first.url ?? '', environment.adminToken);
      const old = key === 'anon' ? project.anon : project.service;
      const statuses = (client: Client): Promise<number[]> =>
        Promise.all(urls().map(async (url) => (await client.at(url).get('/auth/v1/keys')).status));
      expect(await statuses(old)).toEqual([200, 200]);
      const rotated = await operator.post<Record<string, string>>(
        `/admin/v1/projects/${project.ref}/keys/rotate`,
        { key },
      );
      const fresh = new Client('').with({ apikey: rotated.body[`${key}_key`] ?? '' });
      await until(async () => (await statuses(old)).every((status) => status === 401), PROMPTLY_MS);
      expect(await statuses(fresh)).toEqual([200, 200]);
      const other = key === 'anon' ? project.service : project.anon;
      expect(await statuses(other)).toEqual([200, 200]);
    },
  );

  it('end only the log streams of a service key, within a second after it is rotated', async () => {
    const [project, other] = [
      await createProject(first.url ?? '', environment.adminToken),
      await createProject(first.url ?? '', environment.adminToken),
    ];
    const follow = (client: Client): Promise<Followed> =>
      Followed.open(client.at(second.url ?? ''), '/jobs/v1/logs?follow=true');
    const [followed, unconcerned] = [await follow(project.service), await follow(other.service)];
    expect([followed.status, unconcerned.status]).toEqual([200, 200]);
    await operator.post(`/admin/v1/projects/${project.ref}/keys/rotate`, { key: 'service' });
    await until(() => followed.isClosed, PROMPTLY_MS);
    expect(unconcerned.isClosed).toBe(false);
    unconcerned.drop();
  });

  it('follow a change of hosts within a second, and forget a deleted project as fast', async () => {
    const { ref } = await createProject(first.url ?? '', environment.adminToken, ['old.example.com']);
    const statuses = (host: string): Promise<number[]> =>
      Promise.all(urls().map(async (url) => (await askHost(url, host, '/auth/v1/keys')).status));
    expect(await statuses('old.example.com')).toEqual([200, 200]);
    expect(await statuses('new.example.com')).toEqual([400, 400]);
    await operator.send('PATCH', `/admin/v1/projects/${ref}`, { hosts: ['new.example.com'] });
    await until(
      async () => (await statuses('new.example.com')).every((status) => status === 200),
      PROMPTLY_MS,
    );
    await until(
      async () => (await statuses('old.example.com')).every((status) => status === 400),
      PROMPTLY_MS,
    );
    await operator.send('DELETE', `/admin/v1/projects/${ref}`);
    await until(
      async () => (await statuses('new.example.com')).every((status) => status === 400),
      PROMPTLY_MS,
    );
  });

  it('believe X-Forwarded-Host only where they trust a proxy, and Forwarded nowhere', async () => {
    await createProject(first.url ?? '', environment.adminToken, ['behind.example.com']);
    const statuses = (headers: Record<string, string>): Promise<number[]> =>
      Promise.all(
        urls().map(
          async (url) => (await askHost(url, 'proxy.internal', '/auth/v1/keys', { headers })).status,
        ),
      );
    expect(await statuses({ 'X-Forwarded-Host': 'behind.example.com' })).toEqual([400, 200]);
    expect(await statuses({ Forwarded: 'host=behind.example.com' })).toEqual([400, 400]);
  });

  it('serve any host unless server.allowed_hosts names some, and always serve health checks by address', async () => {
    const statuses = (host: string, path: string): Promise<number[]> =>
      Promise.all(urls().map(async (url) => (await askHost(url, host, path)).status));
    expect(await statuses('rebound.evil.test:8080', '/openapi.json')).toEqual([200, 421]);
    expect(await statuses('rebound.evil.test', '/nowhere')).toEqual([404, 421]);
    expect(await statuses('AUTH.Example.com.:8080', '/openapi.json')).toEqual([200, 200]);
    expect(await statuses('any.projects.test', '/openapi.json')).toEqual([200, 200]);
    expect(await statuses('10.0.0.7:8080', '/health/live')).toEqual([200, 200]);
    expect(await askHost(urls()[1] ?? '', 'rebound.evil.test', '/openapi.json')).toMatchObject({
      code: 'misdirected_request',
    });
  });

  it('trust X-Forwarded-For only from a trusted proxy, so that no client can make up its address', async () => {
    const { anon } = await createProject(first.url ?? '', environment.adminToken);
    const seen: unknown[] = [];
    for (const made of ['198.51.100.1', `${'x'.repeat(3000)}, 198.51.100.1`])
      for (const url of urls()) {
        const email = `visitor-${seen.length}@example.com`;
        // The proxy adds the address that it was asked from to whatever the visitor wrote.
        const visitor = anon.at(url).with({ 'x-forwarded-for': `${made}, 203.0.113.7` });
        expect((await visitor.post('/auth/v1/signup', { email, password: PASSWORD })).status).toBe(201);
        seen.push(
          ...(await environment.database.query(
            `SELECT sessions.ip, audit_entries.ip AS "onRecord"
             FROM users JOIN sessions ON sessions.user_id = users.id
               JOIN audit_entries ON audit_entries.target_id = users.id::text AND action = 'user.signed_up'
             WHERE email = $1`,
            [email],
          )),
        );
      }
    const [own, forwarded] = ['127.0.0.1', '203.0.113.7'].map((ip) => ({ ip, onRecord: ip }));
    expect(seen).toEqual([own, forwarded, own, forwarded]);
  });
});
