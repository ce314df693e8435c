import { Client, deleteTenant, signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { HandlerServer } from '../../support/handler-server.js';
import { HeldCalls } from '../../support/held-calls.js';
import { isInProjects, OPERATOR_TOKEN } from '../../support/profile.js';
import { registerJobs, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

interface Load {
  waiting: number;
  delayed: number;
  oldest_wait_ms: number | null;
  at_work: number;
}

interface Queue extends Load {
  limits: { concurrent_runs: number; waiting_runs: number | null };
  jobs: (Load & { job_id: string; paused: boolean | null; max_concurrent_runs: number | null })[];
}

type TenantQueue = Load & { tenant: { id: string; slug?: string; ref?: string; name?: string } };

const EMPTY = { waiting: 0, delayed: 0, oldest_wait_ms: null, at_work: 0 };

describe('the state of the queue', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let held: HeldCalls;
  let service: ServiceInProcess;
  let operator: Client;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    held = new HeldCalls();
    handlers.on('slow', held.behaviour);
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceInProcess.start({
      ...variables,
      SERVICE_ADMIN__TOKEN: OPERATOR_TOKEN,
      SERVICE_JOBS__WORKER_COUNT: '4',
      SERVICE_LIMITS__WAITING_RUNS: '1000',
    });
    operator = new Client(service.url).as(OPERATOR_TOKEN);
  });

  afterAll(async () => {
    held.releaseAll();
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  /** The queue once it has this many runs at work and waiting. */
  async function queueWith(client: Client, atWork: number, waiting: number): Promise<Queue> {
    let queue: Queue | undefined;
    await until(
      async () => {
        queue = (await client.get<Queue>('/jobs/v1/queue')).body;
        return queue.at_work === atWork && queue.waiting === waiting;
      },
      60_000,
      () => JSON.stringify(queue),
    );
    return queue as Queue;
  }

  it('is empty for a tenant without runs', async () => {
    const { client } = await signUpOwner(service.url);
    await registerJobs(client, { slow: {} });
    const { status, body } = await client.get<Queue>('/jobs/v1/queue');
    expect([status, body]).toEqual([
      200,
      { ...EMPTY, limits: { concurrent_runs: expect.any(Number) as number, waiting_runs: 1000 }, jobs: [] },
    ]);
    expect((await operator.get<TenantQueue[]>('/admin/v1/queue')).body).toEqual([]);
  });

  it('shows what waits, what is delayed and what is at work, by job and by tenant', async () => {
    const owner = await signUpOwner(service.url);
    const { client, orgId, slug } = owner;
    await registerJobs(client, {
      slow: { max_concurrent_runs: 1 },
      later: { handler: 'slow' },
    });
    await trigger(client, 'later', { delay_ms: 3_600_000 });
    for (let count = 0; count < 3; count += 1) await trigger(client, 'slow');
    await client.send('PATCH', '/jobs/v1/jobs/later', { paused: true });

    const queue = await queueWith(client, 1, 2);
    const oldestWait = expect.any(Number) as number;
    expect(queue).toMatchObject({ delayed: 1, oldest_wait_ms: oldestWait });
    expect(queue.jobs).toEqual([
      {
        job_id: 'slow',
        waiting: 2,
        delayed: 0,
        oldest_wait_ms: queue.oldest_wait_ms,
        at_work: 1,
        paused: false,
        max_concurrent_runs: 1,
      },
      { job_id: 'later', ...EMPTY, delayed: 1, paused: true, max_concurrent_runs: null },
    ]);
    const later = await queueWith(client, 1, 2);
    await until(async () => {
      const { body } = await client.get<Queue>('/jobs/v1/queue');
      return (body.oldest_wait_ms ?? 0) > (later.oldest_wait_ms ?? 0);
    });

    const { body: tenants } = await operator.get<TenantQueue[]>('/admin/v1/queue');
    expect(tenants).toEqual([
      {
        tenant: {
          id: orgId,
          ...(isInProjects ? { ref: slug } : { slug }),
          name: expect.any(String) as string,
        },
        waiting: 2,
        delayed: 1,
        oldest_wait_ms: oldestWait,
        at_work: 1,
        last_hour: { accepted: 4, ended: 0 },
      },
    ]);

    const { body: instances } = await operator.get('/admin/v1/instances');
    expect(instances).toEqual([
      {
        id: expect.any(String) as string,
        roles: ['api', 'scheduler', 'worker'],
        version: '0.1.0',
        started_at: expect.any(String) as string,
        seen_at: expect.any(String) as string,
        at_work: 1,
      },
    ]);

    // What a deleted tenant left running is still shown, without a name.
    expect(await deleteTenant(owner)).toBe(204);
    await until(async () => {
      const { body } = await operator.get<TenantQueue[]>('/admin/v1/queue');
      return body.length === 1 && body[0]?.waiting === 0 && body[0].tenant.name === undefined;
    });
    held.releaseAll();
    await until(async () => (await operator.get<TenantQueue[]>('/admin/v1/queue')).body.length === 0);
  });

  it('is not shown by tenant to a member', async () => {
    const { client } = await signUpOwner(service.url);
    for (const path of ['queue', 'instances'])
      expect((await client.get(`/admin/v1/${path}`)).status).toBe(401);
  });
});

it('an instance leaves the list of instances when it stops, and one that was killed an hour later', async () => {
  const environment = await createEnvironment();
  const service = await ServiceInProcess.start({
    ...environment.variables,
    SERVICE_ROLE: 'api',
    SERVICE_ADMIN__TOKEN: OPERATOR_TOKEN,
  });
  const ids = async (): Promise<string[]> =>
    (await environment.database.query<{ id: string }>('SELECT id FROM instances')).map(({ id }) => id);
  try {
    await until(async () => (await ids()).length === 1);
    const [alive] = await ids();
    await environment.database.query(
      `INSERT INTO instances (id, roles, version, seen_at)
       SELECT gen_random_uuid(), '{api}', '0.1.0', now() - make_interval(mins => age) FROM unnest('{59,61}'::int[]) age`,
    );
    await until(async () => (await ids()).length === 2);
    expect(await ids()).toContain(alive);
  } finally {
    await service.stop();
  }
  expect(await ids()).toHaveLength(1);
  await environment.dispose();
});
