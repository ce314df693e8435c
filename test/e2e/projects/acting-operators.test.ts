import { Client } from '../../support/client.js';
import { askHost } from '../../support/hosts.js';
import { createOperatorAccount } from '../../support/operator-account.js';
import { createProject, createProjectEnvironment } from '../../support/project-environment.js';
import type { ProjectEnvironment, TestProject } from '../../support/project-environment.js';
import { createProjectUser } from '../../support/project-users.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';
import { ConsoleCaller } from '../../slow/e2e/console/console-caller.js';
import { signInOperator } from '../../slow/e2e/console/operator-accounts.js';
import { Followed } from '../../slow/e2e/logs/followed.js';

type Refusal = { error: { code: string } };
interface Entry {
  readonly action: string;
  readonly actor: { readonly type: string; readonly id: string | null; readonly name?: string };
}

describe('an operator who names a project in X-Service-Project', () => {
  let environment: ProjectEnvironment;
  let service: ServiceInProcess;
  let project: TestProject;
  let other: TestProject;

  beforeAll(async () => {
    environment = await createProjectEnvironment();
    await environment.deploy('report', 'export default async () => Response.json({})');
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    project = await createProject(service.url, environment.adminToken, ['auth.mine.example.com']);
    other = await createProject(service.url, environment.adminToken);
    const jobs = [{ id: 'report', name: 'Report', handler: 'report' }];
    await project.service.post('/jobs/v1/jobs', { jobs });
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  const by = (token: string, ref = project.ref): Client =>
    new Client(service.url, { 'x-service-project': ref }).as(token);

  async function operator(
    access: 'full' | 'read_only',
  ): Promise<{ email: string; userId: string; client: Client }> {
    const account = await createOperatorAccount(environment.database, 'project', access);
    const accessToken = await signInOperator(new ConsoleCaller(service.url), account);
    return { ...account, client: by(accessToken) };
  }

  it('does what its service key may, under the name of their account', async () => {
    const { client, userId, email } = await operator('full');
    const triggered = await client.post<{ id: string }>('/jobs/v1/jobs/report/trigger', { payload: {} });
    expect(triggered.status).toBe(202);
    const run = await client.get<{ trigger: object }>(`/jobs/v1/runs/${triggered.body.id}`);
    expect(run.body.trigger).toEqual({ type: 'manual', operator_id: userId });
    expect((await client.send('PUT', '/vault/v1/secrets/shop/key', { value: 'abc' })).status).toBe(204);
    const invited = await client.post<{ id: string }>('/auth/v1/users', { email: 'ada@example.com' });
    expect([200, 201]).toContain(invited.status);
    const { body } = await client.get<Entry[]>('/auth/v1/audit');
    expect(body.find(({ action }) => action === 'secret.set')?.actor).toMatchObject({
      type: 'operator',
      id: userId,
      name: email,
    });
    expect((await by(environment.adminToken).get('/jobs/v1/jobs')).status).toBe(200);
  });

  it('changes nothing where they may only read', async () => {
    const { client } = await operator('read_only');
    expect((await client.get('/jobs/v1/runs')).status).toBe(200);
    expect((await client.get('/vault/v1/secrets')).status).toBe(200);
    const { status, body } = await client.post<Refusal>('/jobs/v1/jobs/report/trigger', { payload: {} });
    expect([status, body.error.code]).toEqual([403, 'operator_read_only']);
  });

  it('stands in the list of operators with what they may do', async () => {
    const [full, reading] = [await operator('full'), await operator('read_only')];
    const { status, body } =
      await reading.client.get<{ email: string; access: string }[]>('/admin/v1/operators');
    expect(status).toBe(200);
    const listed = body.map(({ email }) => email);
    expect(listed).toEqual(listed.toSorted());
    expect(body.find(({ email }) => email === full.email)).toEqual({
      user_id: full.userId,
      email: full.email,
      access: 'full',
      added_at: expect.any(String),
    });
    expect(body.find(({ email }) => email === reading.email)?.access).toBe('read_only');
  });

  it('gets no further by a project that does not exist, or by the host of another', async () => {
    const { client } = await operator('full');
    const unknown = await client.with({ 'x-service-project': 'nowhere' }).get<Refusal>('/jobs/v1/jobs');
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'project_not_found']);
    const { headers } = client.with({ 'x-service-project': other.ref });
    const path = '/jobs/v1/jobs';
    const { status, code } = await askHost(service.url, 'auth.mine.example.com', path, {
      method: 'GET',
      headers,
    });
    expect([status, code]).toEqual([403, 'project_mismatch']);
  });

  it('is nobody without a session that lives, and a user or key of the project gains nothing by the header', async () => {
    const { client, userId } = await operator('full');
    const stream = await Followed.open(client, '/jobs/v1/logs?follow=true');
    expect(stream.status).toBe(200);
    await environment.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [userId]);
    await until(() => stream.isClosed);
    expect((await client.get('/jobs/v1/jobs')).status).toBe(401);

    const user = await createProjectUser(service, project);
    expect((await by(user.accessToken).get('/jobs/v1/jobs')).status).toBe(403);
    expect((await by(user.accessToken, other.ref).get('/jobs/v1/jobs')).status).toBe(403);
    expect((await by(project.anonKey).get('/jobs/v1/jobs')).status).toBe(403);
    expect((await by('not-a-token').get('/jobs/v1/jobs')).status).toBe(401);
  });
});
