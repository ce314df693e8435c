import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '../../support/client.js';
import { createProject, createProjectEnvironment } from '../../support/project-environment.js';
import type { ProjectEnvironment } from '../../support/project-environment.js';
import { createProjectUser } from '../../support/project-users.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

describe('the operator of projects', () => {
  let environment: ProjectEnvironment;
  let service: ServiceInProcess;
  let operator: Client;

  beforeAll(async () => {
    environment = await createProjectEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    operator = new Client(service.url).as(environment.adminToken);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  function keyFile(ref: string): string {
    return join(environment.keyFolder, `${ref}.pem`);
  }

  async function actionsOf(projectId: string): Promise<string[]> {
    const entries = await environment.database.query<{ action: string; actor_type: string }>(
      'SELECT action, actor_type FROM audit_entries WHERE org_id = $1 ORDER BY position',
      [projectId],
    );
    expect(new Set(entries.map((entry) => entry.actor_type))).toEqual(new Set(['operator']));
    return entries.map(({ action }) => action);
  }

  it('makes one with two keys, and with a key file that its owner alone can read', async () => {
    const made = await operator.post('/admin/v1/projects', { ref: 'acme', name: 'Acme' });
    expect(made).toMatchObject({
      status: 201,
      body: {
        ref: 'acme',
        name: 'Acme',
        hosts: [],
        anon_key: expect.any(String),
        service_key: expect.any(String),
      },
    });
    expect((await stat(keyFile('acme'))).mode & 0o777).toBe(0o600);
    expect(await readFile(keyFile('acme'), 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  });

  it('sees the anon key always, and the service key when it is made or rotated only', async () => {
    const { ref, anonKey, serviceKey } = await createProject(service.url, environment.adminToken);
    const shown = await operator.get(`/admin/v1/projects/${ref}`);
    expect(shown.body).toMatchObject({ ref, anon_key: anonKey });
    const listed = await operator.get<{ ref: string }[]>('/admin/v1/projects');
    const changed = await operator.send('PATCH', `/admin/v1/projects/${ref}`, { name: 'Other' });
    const rotatedAnon = await operator.post(`/admin/v1/projects/${ref}/keys/rotate`, { key: 'anon' });
    for (const body of [shown.body, listed.body[0], changed.body, rotatedAnon.body])
      expect(body).not.toHaveProperty('service_key');
    expect(rotatedAnon.body.anon_key).not.toBe(anonKey);
    const rotated = await operator.post(`/admin/v1/projects/${ref}/keys/rotate`, { key: 'service' });
    expect(rotated.body.service_key).toEqual(expect.any(String));
    expect(rotated.body.service_key).not.toBe(serviceKey);
    expect(rotated.body.anon_key).toBe(rotatedAnon.body.anon_key);
  });

  it('lists them newest first, page by page', async () => {
    const refs: string[] = [];
    for (let count = 0; count < 3; count += 1)
      refs.unshift((await createProject(service.url, environment.adminToken)).ref);
    const first = await operator.get<{ ref: string }[]>('/admin/v1/projects?limit=2');
    expect(first.body.map(({ ref }) => ref)).toEqual(refs.slice(0, 2));
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const { pathname, search } = new URL(next, service.url);
    const second = await operator.get<{ ref: string }[]>(`${pathname}${search}`);
    expect(second.body[0]?.ref).toBe(refs[2]);
  });

  it('changes name and hosts on record, and nothing twice', async () => {
    const { id, ref } = await createProject(service.url, environment.adminToken);
    const wanted = { name: 'New', hosts: ['B.example.com.', 'a.example.com'] };
    const changed = await operator.send('PATCH', `/admin/v1/projects/${ref}`, wanted);
    expect(changed.body).toMatchObject({ name: 'New', hosts: ['b.example.com', 'a.example.com'] });
    await operator.send('PATCH', `/admin/v1/projects/${ref}`, wanted);
    await operator.send('PATCH', `/admin/v1/projects/${ref}`, {});
    expect(await actionsOf(id)).toEqual(['project.created', 'project.updated']);
  });

  it('is refused a ref and a host that another project has', async () => {
    const first = await createProject(service.url, environment.adminToken, ['taken.example.com']);
    expect(await operator.post('/admin/v1/projects', { ref: first.ref, name: 'B' })).toMatchObject({
      status: 409,
      body: { error: { code: 'ref_taken' } },
    });
    const hosts = ['free.example.com', 'Taken.Example.com'];
    const made = await operator.post('/admin/v1/projects', { ref: 'hosted', name: 'B', hosts });
    expect(made).toMatchObject({ status: 409, body: { error: { code: 'host_taken' } } });
    // Nothing of the refused one is left: neither row nor key.
    expect((await operator.get('/admin/v1/projects/hosted')).status).toBe(404);
    await expect(stat(keyFile('hosted'))).rejects.toThrow('ENOENT');
    const other = await createProject(service.url, environment.adminToken);
    expect(await operator.send('PATCH', `/admin/v1/projects/${other.ref}`, { hosts })).toMatchObject({
      status: 409,
      body: { error: { code: 'host_taken' } },
    });
  });

  it('gets one of two projects that want each other\u2019s hosts at once refused, and no deadlock', async () => {
    const [a, b] = [
      await createProject(service.url, environment.adminToken, ['x1.example.com', 'y1.example.com']),
      await createProject(service.url, environment.adminToken),
    ];
    const answers = await Promise.all([
      operator.send('PATCH', `/admin/v1/projects/${a.ref}`, { hosts: ['z1.example.com', 'y1.example.com'] }),
      operator.send('PATCH', `/admin/v1/projects/${b.ref}`, { hosts: ['y1.example.com', 'z1.example.com'] }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it.each([
    [{ ref: 'ab', name: 'A' }, ['ref']],
    [{ ref: 'Acme', name: 'A' }, ['ref']],
    [{ ref: '1acme', name: 'A' }, ['ref']],
    [{ ref: 'a'.repeat(41), name: 'A' }, ['ref']],
    [{ ref: '../etc', name: 'A' }, ['ref']],
    [{ ref: 'good', name: ' ' }, ['name']],
    [{ ref: 'good', name: 'A', hosts: ['ok.example', 'a b', 'c.example:80'] }, ['hosts[1]', 'hosts[2]']],
    [{ ref: 'good', name: 'A', hosts: ['evil.projects.test'] }, ['hosts[0]']],
    [{ ref: 'good', name: 'A', service_key: 'mine' }, ['service_key']],
  ])('is refused %j', async (wanted, paths) => {
    const refused = await operator.post<{ error: { code: string; details: { path: string }[] } }>(
      '/admin/v1/projects',
      wanted,
    );
    expect([refused.status, refused.body.error.code]).toEqual([400, 'validation_failed']);
    expect(refused.body.error.details.map(({ path }) => path)).toEqual(paths);
  });

  it('alone reaches any of this, with the token of the deployment', async () => {
    const project = await createProject(service.url, environment.adminToken);
    for (const caller of [new Client(service.url), project.service, project.service.as(project.serviceKey)]) {
      expect((await caller.get('/admin/v1/projects')).status).toBe(401);
      expect((await caller.send('DELETE', `/admin/v1/projects/${project.ref}`)).status).toBe(401);
    }
  });

  it('deletes one with its users, sessions and key file, and leaves the audit trail and other projects', async () => {
    const [doomed, other] = [
      await createProject(service.url, environment.adminToken, ['doomed.example.com']),
      await createProject(service.url, environment.adminToken),
    ];
    const user = await createProjectUser(service, doomed);
    const bystander = await createProjectUser(service, other, user.email);
    expect((await operator.send('DELETE', `/admin/v1/projects/${doomed.ref}`)).status).toBe(204);
    const left = await environment.database.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [
      user.email,
    ]);
    expect(left).toEqual([{ id: bystander.userId }]);
    const sessions = await environment.database.query('SELECT id FROM sessions WHERE user_id = $1', [
      user.userId,
    ]);
    expect(sessions).toEqual([]);
    await expect(stat(keyFile(doomed.ref))).rejects.toThrow('ENOENT');
    expect(await actionsOf(doomed.id)).toEqual(['project.created', 'project.deleted']);
    expect((await operator.get(`/admin/v1/projects/${doomed.ref}`)).status).toBe(404);
    expect((await operator.send('DELETE', `/admin/v1/projects/${doomed.ref}`)).status).toBe(404);
    expect((await doomed.service.get('/jobs/v1/runs')).status).toBe(401);
    expect((await other.service.get('/jobs/v1/runs')).status).toBe(200);
  });

  it('gives a project that is created again with the same ref other keys, and nobody\u2019s old key or token is good for it', async () => {
    const ref = 'phoenix';
    const make = async (): Promise<Record<string, string>> =>
      (await operator.post<Record<string, string>>('/admin/v1/projects', { ref, name: 'Phoenix' })).body;
    const before = await make();
    await operator.send('DELETE', `/admin/v1/projects/${ref}`);
    const after = await make();
    expect(after.id).not.toBe(before.id);
    const client = new Client(service.url);
    expect((await client.with({ apikey: before.service_key ?? '' }).get('/jobs/v1/runs')).status).toBe(401);
    expect((await client.with({ apikey: after.service_key ?? '' }).get('/jobs/v1/runs')).status).toBe(200);
  });
});
