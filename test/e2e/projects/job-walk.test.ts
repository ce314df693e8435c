import { createHmac } from 'node:crypto';
import { Client } from '../../support/client.js';
import type { RunBody } from '../../support/client.js';
import { HandlerServer } from '../../support/handler-server.js';
import { createProject, createProjectEnvironment } from '../../support/project-environment.js';
import type { ProjectEnvironment, TestProject } from '../../support/project-environment.js';
import { createProjectUser } from '../../support/project-users.js';
import { sendRaw } from '../../support/raw-http.js';
import { endedRun, registerJobs, trigger } from '../../support/runs.js';
import { ScheduleClock } from '../../support/schedule-clock.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';
import { Followed } from '../../slow/e2e/logs/followed.js';
import type { Line } from '../../slow/e2e/logs/followed.js';

/** A project's jobs by every kind of trigger, beside another project that has the very same ones. */
describe('a walk through the jobs of a project', () => {
  let environment: ProjectEnvironment;
  let handlers: HandlerServer;
  let clock: ScheduleClock;
  let service: ServiceInProcess;
  let mine: TestProject;
  let theirs: TestProject;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createProjectEnvironment(), HandlerServer.start()]);
    clock = await ScheduleClock.takeOver(environment.database, '2026-03-02T11:59:30Z');
    service = await ServiceInProcess.start({
      ...environment.variables,
      ...handlers.variables,
      SERVICE_JOBS__SCHEDULER_INTERVAL_MS: '100',
      SERVICE_JOBS__DATA_EVENT_SCHEMAS: 'public,service',
    });
    [mine, theirs] = [
      await createProject(service.url, environment.adminToken),
      await createProject(service.url, environment.adminToken),
    ];
    await environment.database.query(
      'CREATE TABLE orders (id int, project_id text); CREATE TABLE of_orgs (id int, org_id uuid)',
    );
    for (const project of [mine, theirs]) {
      await project.service.send('PUT', '/vault/v1/secrets/hook', { value: `secret of ${project.ref}` });
      const verify = { type: 'hmac', header: 'X-Signature', secret: 'vault:hook' };
      await registerJobs(project.service, {
        open: { invocable_by: 'authenticated' },
        closed: {},
        hooked: { triggers: [{ type: 'webhook', path: '/hooks/paid', method: 'POST', verify }] },
        watching: { triggers: [{ type: 'data', table: 'public.orders', events: ['insert'] }] },
      });
    }
    await registerJobs(mine.service, {
      timed: { triggers: [{ type: 'cron', schedule: '0 12 * * *', payload: { since: 'noon' } }] },
    });
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  async function runsOf(project: TestProject, jobId: string): Promise<RunBody[]> {
    return (await project.service.get<RunBody[]>(`/jobs/v1/runs?job_id=${jobId}`)).body;
  }

  it('fires a schedule, for this project alone', async () => {
    await clock.set('2026-03-02T12:00:07Z');
    await until(async () => (await runsOf(mine, 'timed')).length === 1);
    const [run] = await runsOf(mine, 'timed');
    expect(await endedRun(mine.service, run?.id ?? '')).toMatchObject({
      status: 'completed',
      payload: { since: 'noon' },
      scheduled_for: '2026-03-02T12:00:00.000Z',
    });
    expect(handlers.callsOf(run?.id ?? '')[0]?.headers).toMatchObject({
      'x-service-project': mine.ref,
      'x-service-trigger': 'cron',
      'x-service-actor': 'cron:0',
    });
    expect((await theirs.service.get<RunBody[]>('/jobs/v1/runs')).body).toEqual([]);
  });

  it('fires only for rows of its own project', async () => {
    await environment.database.query(
      `INSERT INTO orders VALUES (1, '${mine.id}'), (2, '${theirs.id}'), (3, '${mine.ref}'), (4, NULL)`,
    );
    await until(
      async () => (await runsOf(mine, 'watching')).length + (await runsOf(theirs, 'watching')).length === 2,
    );
    for (const [project, id] of [
      [mine, 1],
      [theirs, 2],
    ] as const) {
      const [run] = await runsOf(project, 'watching');
      expect(await endedRun(project.service, run?.id ?? '')).toMatchObject({
        status: 'completed',
        payload: { type: 'insert', table: 'public.orders', record: { id, project_id: project.id } },
      });
    }
    const refused = await mine.service.post('/jobs/v1/jobs', {
      jobs: [
        {
          id: 'a',
          name: 'a',
          handler: 'a',
          triggers: [{ type: 'data', table: 'public.of_orgs', events: ['insert'] }],
        },
        {
          id: 'b',
          name: 'b',
          handler: 'b',
          triggers: [{ type: 'data', table: 'service.projects', events: ['insert'] }],
        },
      ],
    });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        error: {
          details: [
            {
              path: 'jobs[0].triggers[0].table',
              message: 'has no column project_id, by which its rows belong to projects',
            },
            { path: 'jobs[1].triggers[0].table', message: 'is a table of the service itself' },
          ],
        },
      },
    });
  });

  it('takes a webhook by its host, and the one of the other project by the other\u2019s', async () => {
    const call = async (host: string, secretOf: TestProject): Promise<{ status: number; text: string }> => {
      const signature = createHmac('sha256', `secret of ${secretOf.ref}`).update('{}').digest('hex');
      const head = `POST /jobs/v1/hooks/paid HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: 2`;
      const type = 'Content-Type: application/json';
      return await sendRaw(service.url, `${head}\r\n${type}\r\nX-Signature: ${signature}\r\n\r\n{}`);
    };
    for (const project of [mine, theirs]) {
      const accepted = await call(`${project.ref}.projects.test`, project);
      expect(accepted.status).toBe(202);
      const { run_id: runId } = JSON.parse(accepted.text) as { run_id: string };
      expect(await endedRun(project.service, runId)).toMatchObject({ job_id: 'hooked', status: 'completed' });
    }
    expect((await call(`${mine.ref}.projects.test`, theirs)).status).toBe(401);
    expect((await call('projects.test', mine)).status).toBe(400);
  });

  it('is triggered by a user where the job says so, and only there', async () => {
    const ada = await createProjectUser(service, mine);
    const run = await trigger(ada.client, 'open', { payload: { n: 1 } });
    expect(await endedRun(ada.client, run.id)).toMatchObject({ status: 'completed', payload: { n: 1 } });
    for (const job of ['closed', 'hooked', 'watching', 'timed', 'missing'])
      expect((await ada.client.post(`/jobs/v1/jobs/${job}/trigger`)).status).toBe(403);
    for (const path of [`runs/${run.id}/logs`, 'logs'])
      expect([path, (await ada.client.get(`/jobs/v1/${path}`)).status]).toEqual([path, 403]);
  });

  it('has logs of its own, which the other project does not see', async () => {
    const run = await trigger(mine.service, 'closed');
    await endedRun(mine.service, run.id);
    const { body } = await mine.service.get<Line[]>(`/jobs/v1/runs/${run.id}/logs`);
    expect(body.map(({ message }) => message)).toEqual([
      'queued (manual)',
      'attempt 1 started',
      'attempt 1 completed with status 200; the run is completed',
    ]);
    expect((await theirs.service.get(`/jobs/v1/runs/${run.id}/logs`)).status).toBe(404);
    const all = await theirs.service.get<Line[]>('/jobs/v1/logs?limit=1000');
    expect(all.body.filter(({ run_id: id }) => id === run.id)).toEqual([]);
  });

  it('is followed by its service key alone, and no longer than that key holds', async () => {
    const follow = (client: Client): Promise<Followed> => Followed.open(client, '/jobs/v1/logs?follow=true');
    const [ours, others] = [await follow(mine.service), await follow(theirs.service)];
    expect([ours.status, others.status, (await follow(mine.anon)).status]).toEqual([200, 200, 403]);
    const run = await trigger(mine.service, 'closed');
    await until(() => ours.lines.some(({ run_id: id }) => id === run.id));
    await new Client(service.url)
      .as(environment.adminToken)
      .post(`/admin/v1/projects/${mine.ref}/keys/rotate`, { key: 'service' });
    await until(() => ours.isClosed);
    expect(others.isClosed).toBe(false);
    expect(others.lines.filter(({ run_id: id }) => id === run.id)).toEqual([]);
  });
});
