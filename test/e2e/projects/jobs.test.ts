import { createHmac } from 'node:crypto';
import { Client } from '../../support/client.js';
import type { RunBody } from '../../support/client.js';
import { HandlerServer } from '../../support/handler-server.js';
import { createProject, createProjectEnvironment } from '../../support/project-environment.js';
import type { ProjectEnvironment, TestProject } from '../../support/project-environment.js';
import { createProjectUser } from '../../support/project-users.js';
import type { ProjectUser } from '../../support/project-users.js';
import { endedRun, registerJobs, trigger } from '../../support/runs.js';
import { sendRaw } from '../../support/raw-http.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

const HOST = 'jobs.mine.example.com';
const SECRET = 'a secret of the hook';

describe('jobs in a project', () => {
  let environment: ProjectEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let mine: TestProject;
  let theirs: TestProject;
  let ada: ProjectUser;
  let bob: ProjectUser;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createProjectEnvironment(), HandlerServer.start()]);
    service = await ServiceInProcess.start({ ...environment.variables, ...handlers.variables });
    mine = await createProject(service.url, environment.adminToken, [HOST]);
    theirs = await createProject(service.url, environment.adminToken);
    [ada, bob] = [await createProjectUser(service, mine), await createProjectUser(service, mine)];
    await registerJobs(mine.service, { open: { invocable_by: 'authenticated' }, closed: {} });
    await registerJobs(theirs.service, { theirs: {} });
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  it('run by the service key, and tell the handler of their project instead of an organization', async () => {
    const run = await trigger(mine.service, 'closed', { payload: { n: 1 } });
    expect((await endedRun(mine.service, run.id)).status).toBe('completed');
    const [call] = handlers.callsOf(run.id);
    expect(call?.headers).toMatchObject({ 'x-service-project': mine.ref, 'x-service-job-id': 'closed' });
    expect(call?.headers).not.toHaveProperty('x-service-org');
  });

  it('give their handler a token of the project that may do what the service key may, until the attempt ends', async () => {
    const seen: number[] = [];
    let token = '';
    handlers.on('closed', (response, _nth, call) => {
      token = String(call.headers.authorization).replace('Bearer ', '');
      void (async () => {
        const handler = new Client(service.url).as(token);
        seen.push((await handler.get('/jobs/v1/jobs')).status);
        seen.push((await handler.get(`/auth/v1/keys?ref=${theirs.ref}`)).status);
        response.writeHead(200).end('{}');
      })();
    });
    const run = await trigger(mine.service, 'closed');
    await endedRun(mine.service, run.id);
    expect(seen).toEqual([200, 403]);
    expect((await new Client(service.url).as(token).get('/jobs/v1/jobs')).status).toBe(401);
    const [, payload = ''] = token.split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      role: 'service_role',
      ref: mine.ref,
      run_id: run.id,
      attempt: 1,
    });
  });

  it('are triggered by a user only where the job says so, alike for what is closed and what is not there', async () => {
    expect((await ada.client.post('/jobs/v1/jobs/open/trigger')).status).toBe(202);
    // Else whoever signs up would go before all runs of the project.
    expect((await ada.client.post('/jobs/v1/jobs/open/trigger', { priority: 1 })).status).toBe(403);
    expect((await mine.service.post('/jobs/v1/jobs/open/trigger', { priority: 1 })).status).toBe(202);
    const closed = await ada.client.post('/jobs/v1/jobs/closed/trigger');
    const missing = await ada.client.post('/jobs/v1/jobs/missing/trigger');
    expect(closed).toMatchObject({ status: 403, body: { error: { code: 'permission_denied' } } });
    expect(missing.body).toEqual(closed.body);
    expect((await mine.anon.post('/jobs/v1/jobs/open/trigger')).status).toBe(403);
  });

  it('show a user the runs that they triggered, and no one else\u2019s', async () => {
    const [hers, his, services] = [
      await trigger(ada.client, 'open'),
      await trigger(bob.client, 'open'),
      await trigger(mine.service, 'open'),
    ];
    expect((await ada.client.get(`/jobs/v1/runs/${hers.id}`)).status).toBe(200);
    for (const run of [his, services])
      expect((await ada.client.get(`/jobs/v1/runs/${run.id}`)).status).toBe(404);
    const listed = await ada.client.get<RunBody[]>('/jobs/v1/runs');
    const ids = listed.body.map(({ id }) => id);
    expect(ids).toContain(hers.id);
    expect(ids).not.toContain(his.id);
    expect(ids).not.toContain(services.id);
    const all = await mine.service.get<RunBody[]>('/jobs/v1/runs');
    expect(all.body.map(({ id }) => id)).toEqual(expect.arrayContaining([hers.id, his.id, services.id]));
  });

  it('name the user to the user, and of whoever repeats the run no more than what they are', async () => {
    const { id } = await trigger(ada.client, 'open');
    expect((await endedRun(ada.client, id)).actor).toBe(`user:${ada.userId}`);
    const { body: repeated } = await mine.service.post<RunBody>(`/jobs/v1/runs/${id}/retry`);
    expect(repeated.actor).toMatch(/^key:[\w-]{36}$/);
    expect((await endedRun(ada.client, repeated.id)).actor).toBe('key');
    const { body: listed } = await ada.client.get<RunBody[]>('/jobs/v1/runs');
    expect(listed.find((run) => run.id === repeated.id)?.actor).toBe('key');
  });

  it('hide from users even their own runs once the job is closed to them', async () => {
    await registerJobs(mine.service, { brief: { invocable_by: 'authenticated' } });
    const run = await trigger(ada.client, 'brief');
    expect((await ada.client.get(`/jobs/v1/runs/${run.id}`)).status).toBe(200);
    await registerJobs(mine.service, { brief: {} });
    expect((await ada.client.get(`/jobs/v1/runs/${run.id}`)).status).toBe(404);
    expect((await ada.client.post('/jobs/v1/jobs/brief/trigger')).status).toBe(403);
  });

  it('leave a user nothing else to do: no retry, no cancelling, no jobs, no secrets', async () => {
    const run = await trigger(ada.client, 'open');
    await endedRun(mine.service, run.id);
    for (const [method, path, body] of [
      ['POST', `/jobs/v1/runs/${run.id}/retry`],
      ['POST', `/jobs/v1/runs/${run.id}/retry`, { payload: { another: true } }],
      ['POST', `/jobs/v1/runs/${run.id}/cancel`],
      ['GET', `/jobs/v1/runs/${run.id}/steps`],
      ['GET', `/jobs/v1/runs/${run.id}/steps/charge`],
      ['PUT', `/jobs/v1/runs/${run.id}/steps/charge`, { value: 1 }],
      ['GET', '/jobs/v1/jobs'],
      ['GET', '/jobs/v1/jobs/open'],
      ['PATCH', '/jobs/v1/jobs/open', { paused: true }],
      ['DELETE', '/jobs/v1/jobs/open'],
      ['GET', '/jobs/v1/signing-secret'],
      ['GET', '/vault/v1/secrets'],
    ] as const) {
      expect([method, path, (await ada.client.send(method, path, body)).status]).toEqual([method, path, 403]);
    }
  });

  it('keep the Idempotency-Keys of one user apart from those of another', async () => {
    const key = { 'idempotency-key': 'same' };
    const hers = await trigger(ada.client.with(key), 'open');
    const again = await trigger(ada.client.with(key), 'open');
    const his = await trigger(bob.client.with(key), 'open');
    expect(again.id).toBe(hers.id);
    expect(his.id).not.toBe(hers.id);
  });

  it('and secrets of one project are not there for the other', async () => {
    const run = await trigger(mine.service, 'open');
    expect((await theirs.service.get(`/jobs/v1/runs/${run.id}`)).status).toBe(404);
    expect((await theirs.service.get('/jobs/v1/jobs/open')).status).toBe(404);
    expect((await theirs.service.post('/jobs/v1/jobs/open/trigger')).status).toBe(404);
    expect((await mine.service.send('PUT', '/vault/v1/secrets/a/b', { value: 'x' })).status).toBe(204);
    expect((await mine.service.get('/vault/v1/secrets/a/b')).status).toBe(200);
    expect((await theirs.service.get('/vault/v1/secrets/a/b')).status).toBe(404);
  });

  it('take hooks by the host of their project, where two projects may have one name', async () => {
    const verify = { type: 'hmac', header: 'X-Signature', secret: 'vault:hook' };
    const triggers = [{ type: 'webhook', path: '/hooks/payments', method: 'POST', verify }];
    for (const project of [mine, theirs]) {
      await project.service.send('PUT', '/vault/v1/secrets/hook', { value: `${SECRET} ${project.ref}` });
      await registerJobs(project.service, { hooked: { triggers } });
    }
    const call = async (host: string, ref: string): Promise<{ status: number; text: string }> => {
      const body = '{"paid":true}';
      const signature = createHmac('sha256', `${SECRET} ${ref}`).update(body).digest('hex');
      const lines = [
        'POST /jobs/v1/hooks/payments HTTP/1.1',
        `Host: ${host}`,
        'Connection: close',
        // Of the provider's own, and none of our business.
        'Authorization: Basic cHJvdmlkZXI6c2VjcmV0',
        `X-Signature: ${signature}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ];
      return await sendRaw(service.url, `${lines.join('\r\n')}\r\n\r\n${body}`);
    };
    const accepted = await call(HOST, mine.ref);
    expect(accepted.status).toBe(202);
    const { run_id: runId } = JSON.parse(accepted.text) as { run_id: string };
    expect(await endedRun(mine.service, runId)).toMatchObject({
      job_id: 'hooked',
      payload: { paid: true },
    });
    expect((await call(`${theirs.ref}.projects.test`, theirs.ref)).status).toBe(202);
    expect((await call(HOST, theirs.ref)).status).toBe(401);
    expect((await call('nobody.example.com', mine.ref)).status).not.toBe(202);
  });

  it('go with their project: waiting runs are cancelled, secrets and hooks are gone', async () => {
    const doomed = await createProject(service.url, environment.adminToken);
    await registerJobs(doomed.service, { job: {} });
    await doomed.service.send('PUT', '/vault/v1/secrets/s', { value: 'x' });
    const waiting = await trigger(doomed.service, 'job', { delay_ms: 3_600_000 });
    await new Client(service.url)
      .as(environment.adminToken)
      .send('DELETE', `/admin/v1/projects/${doomed.ref}`);
    const runs = await environment.database.query('SELECT status FROM runs WHERE id = $1', [waiting.id]);
    expect(runs).toEqual([{ status: 'cancelled' }]);
    for (const table of ['jobs', 'vault_secrets', 'signing_secrets'])
      expect([
        table,
        await environment.database.query(`SELECT FROM ${table} WHERE tenant_id = $1`, [doomed.id]),
      ]).toEqual([table, []]);
  });
});
