import { decodeJwt } from 'jose';
import { createVerifier } from '../../../client/src/verify/index.js';
import type { VerifiedRun } from '../../../client/src/verify/index.js';
import type { TenantId } from '../../../src/http/index.js';
import { CONFIG } from '../../../src/platform/config/index.js';
import type { Config } from '../../../src/platform/config/index.js';
import { Database } from '../../../src/platform/database/index.js';
import { ProjectHolders } from '../../../src/projects/project-holders.js';
import { Client } from '../../support/client.js';
import type { RunBody } from '../../support/client.js';
import { fetch } from '../../support/fetch.js';
import { answer, HandlerServer } from '../../support/handler-server.js';
import { HeldCalls } from '../../support/held-calls.js';
import { createProject, createProjectEnvironment } from '../../support/project-environment.js';
import type { ProjectEnvironment, TestProject } from '../../support/project-environment.js';
import { createProjectUser } from '../../support/project-users.js';
import type { ProjectUser } from '../../support/project-users.js';
import { endedRun, registerJobs, runIn, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

const OPEN = { acts_as: 'caller', invocable_by: 'authenticated' };
const OF_USERS = ['jobs:jobs:trigger', 'jobs:runs:read'];

describe('what a run of a project may do as its caller', () => {
  let environment: ProjectEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let held: HeldCalls;
  let operator: Client;
  let project: TestProject;
  let user: ProjectUser;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createProjectEnvironment(), HandlerServer.start()]);
    service = await ServiceInProcess.start({ ...environment.variables, ...handlers.variables });
    operator = new Client(service.url).as(environment.adminToken);
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  beforeEach(async () => {
    held = new HeldCalls();
    handlers.on('held', held.behaviour);
    for (const name of ['defer', 'child'])
      handlers.on(name, answer(202, undefined, { 'Service-Defer': 'true' }));
    project = await createProject(service.url, environment.adminToken);
    user = await createProjectUser(service, project);
    await registerJobs(project.service, {
      defer: OPEN,
      child: OPEN,
      held: { ...OPEN, max_concurrent_runs: 1 },
    });
  });

  afterEach(() => {
    held.releaseAll();
  });

  async function tokenOf(runId: string): Promise<string> {
    await until(() => handlers.callsOf(runId).length > 0);
    return handlers.callsOf(runId)[0]?.headers.authorization?.replace('Bearer ', '') ?? '';
  }

  async function asRun(runId: string): Promise<Client> {
    return new Client(service.url).as(await tokenOf(runId));
  }

  async function verified(runId: string): Promise<VerifiedRun> {
    const verifier = createVerifier({ url: service.url, fetch, projects: [project.ref] });
    return await verifier.requireRun({ authorization: `Bearer ${await tokenOf(runId)}` });
  }

  it('is, of a user, that of the user, whom policies on rows know by the token', async () => {
    const { id } = await trigger(user.client, 'defer');
    const { userId } = user;
    expect(await verified(id)).toMatchObject({
      tenant: project.ref,
      actor: `user:${userId}`,
      permissions: OF_USERS,
      userId,
    });
    expect(decodeJwt(await tokenOf(id))).toMatchObject({ role: 'authenticated', sub: userId });
  });

  it('is, of a user, no more at the service than the user may', async () => {
    const theirs = await trigger(project.service, 'defer');
    const mine = await trigger(user.client, 'defer');
    const run = await asRun(mine.id);
    const listed = await run.get<RunBody[]>('/jobs/v1/runs');
    expect(listed.body.map(({ id }) => id)).toEqual([mine.id]);
    expect((await run.get(`/jobs/v1/runs/${theirs.id}`)).status).toBe(404);
    for (const path of ['/jobs/v1/jobs', '/vault/v1/secrets', `/jobs/v1/runs/${theirs.id}/steps/a`])
      expect((await run.get(path)).status).toBe(403);
    for (const path of [`/jobs/v1/runs/${mine.id}/retry`, `/jobs/v1/runs/${mine.id}/cancel`])
      expect((await run.post(path)).status).toBe(403);
    // A run is no user: it changes no account, and reads none.
    expect((await run.get('/auth/v1/user')).status).toBe(401);
    const step = `/jobs/v1/runs/${mine.id}/steps/a`;
    expect((await run.send('PUT', step, { value: 1 })).status).toBe(200);
    expect((await run.get(step)).status).toBe(200);
    const alive = await run.post<{ token: string }>(`/jobs/v1/runs/${mine.id}/attempts/1/heartbeat`);
    expect(decodeJwt(alive.body.token)).toMatchObject({
      role: 'authenticated',
      sub: user.userId,
      perms: OF_USERS,
    });
  });

  it('is, of a run that a user’s handler triggers, that of the user, who sees it', async () => {
    const parent = await trigger(user.client, 'defer');
    const child = await trigger(await asRun(parent.id), 'child');
    expect(await verified(child.id)).toMatchObject({ actor: `run:${parent.id}`, userId: user.userId });
    const seen = await user.client.get<RunBody>(`/jobs/v1/runs/${child.id}`);
    expect([seen.status, seen.body.parent_run_id]).toEqual([200, parent.id]);
    const other = await createProjectUser(service, project);
    expect((await other.client.get(`/jobs/v1/runs/${child.id}`)).status).toBe(404);
  });

  it('is, of the service key and of an operator, everything', async () => {
    const acting = operator.with({ 'x-service-project': project.ref });
    for (const client of [project.service, acting]) {
      const { id } = await trigger(client, 'defer');
      expect(await verified(id)).toMatchObject({ permissions: ['*'], userId: null });
      expect(decodeJwt(await tokenOf(id))).not.toHaveProperty('sub');
    }
  });

  it('is nothing to a user whose address nobody has proven, where that is required', async () => {
    const config = service.application.get<Config>(CONFIG);
    const identity = { ...config.identity, requireVerifiedEmail: true };
    const holders = new ProjectHolders({ ...config, identity }, service.application.get(Database));
    const rights = (): Promise<unknown> =>
      holders.rightsOf(project.id as TenantId, { type: 'user', id: user.userId });
    expect(await rights()).toMatchObject({ userId: user.userId });
    await environment.database.query('UPDATE users SET email_verified = false WHERE id = $1', [user.userId]);
    expect(await rights()).toBeNull();
  });

  const users = `UPDATE users SET disabled_at = now() WHERE realm_id = $1`;
  it.each<[string, 'user' | 'service', () => Promise<unknown>]>([
    ['the user is disabled', 'user', () => environment.database.query(users, [project.id])],
    [
      'the job is closed to users',
      'user',
      () =>
        registerJobs(operator.with({ 'x-service-project': project.ref }), {
          held: { max_concurrent_runs: 1 },
        }),
    ],
    [
      'the service key is rotated',
      'service',
      () => operator.post(`/admin/v1/projects/${project.ref}/keys/rotate`, { key: 'service' }),
    ],
  ])('is nothing once %s: the handler is not called', async (_how, who, end) => {
    const acting = operator.with({ 'x-service-project': project.ref });
    await runIn(acting, (await trigger(acting, 'held')).id, ['running']);
    const { id } = await trigger(who === 'user' ? user.client : project.service, 'held');
    await end();
    held.releaseAll();
    expect(await endedRun(acting, id)).toMatchObject({
      status: 'cancelled',
      error: { code: 'actor_not_allowed' },
    });
    expect(handlers.callsOf(id)).toEqual([]);
  });
});
