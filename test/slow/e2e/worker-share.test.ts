import { signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { HandlerServer } from '../../support/handler-server.js';
import { HeldCalls } from '../../support/held-calls.js';
import { endedRun, registerJobs, trigger, triggerMany } from '../../support/runs.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

describe('a tenant with more slow runs than workers of four slots', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let variables: Record<string, string>;
  const services: ServiceProcess[] = [];
  let url: string;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    // Without the scheduler's sweeps, a slot that a finished run leaves is filled at once or never.
    variables = { ...environment.variables, ...handlers.variables, SERVICE_ROLE: 'api,worker' };
    services.push(await ServiceProcess.start(variables));
    url = services[0]?.url ?? '';
  });

  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await handlers.stop();
    await environment.dispose();
  });

  async function inFlightByWorker(jobId: string): Promise<number[]> {
    const counted = await environment.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM runs WHERE status = 'running' AND job_id = '${jobId}'
       GROUP BY worker_id ORDER BY 1`,
    );
    return counted.map(({ count }) => count);
  }

  it('holds three slots of a worker, another tenant starts beside it, and each free slot is used again', async () => {
    const [busy, other] = [await signUpOwner(url), await signUpOwner(url)];
    const held = new HeldCalls();
    handlers.on('busy', held.behaviour);
    await registerJobs(busy.client, { busy: {} });
    await registerJobs(other.client, { other: {} });
    const ids = await triggerMany(busy.client, 'busy', 8);
    await until(() => held.count === 3);
    for (let time = 1; time <= 3; time += 1) {
      const { id } = await trigger(other.client, 'other');
      // While the runs of the first are held open, so no slot of theirs has become free for it.
      await endedRun(other.client, id, 5000);
      expect(held.count).toBe(3);
    }
    expect(handlers.mostAtOnce('busy')).toBe(3);
    for (let released = 1; released <= 5; released += 1) {
      held.releaseOne();
      await until(() => handlers.runIdsOf('busy').length === 3 + released);
    }
    held.releaseAll();
    for (const id of ids) expect(await endedRun(busy.client, id)).toMatchObject({ attempt: 1 });
    expect(handlers.runIdsOf('busy').sort()).toEqual(ids.sort());
    expect(handlers.mostAtOnce('busy')).toBe(3);
  });

  it('leaves the runs that wait for a slot untouched while none becomes free', async () => {
    const { client } = await signUpOwner(url);
    const held = new HeldCalls();
    handlers.on('waiting', held.behaviour);
    await registerJobs(client, { waiting: {} });
    const ids = await triggerMany(client, 'waiting', 100);
    const versions = async (): Promise<{ id: string; xmin: string }[]> =>
      await environment.database.query(
        `SELECT id, xmin::text FROM runs WHERE job_id = 'waiting' AND status = 'queued' ORDER BY id`,
      );
    await until(async () => held.count === 3 && (await versions()).length === 97);
    const before = await versions();
    const beat = async (): Promise<unknown> =>
      await environment.database.query('SELECT heartbeat_at FROM workers ORDER BY id');
    const earlier = JSON.stringify(await beat());
    await until(async () => JSON.stringify(await beat()) !== earlier);
    expect(await versions()).toEqual(expect.arrayContaining(before));
    held.releaseAll();
    for (const id of ids) await endedRun(client, id);
  });

  it('holds three slots of each of two workers, and those of the second once it has come', async () => {
    const { client } = await signUpOwner(url);
    const held = new HeldCalls();
    handlers.on('spread', held.behaviour);
    await registerJobs(client, { spread: {} });
    const ids = await triggerMany(client, 'spread', 12);
    await until(async () => (await inFlightByWorker('spread')).join() === '3');
    services.push(await ServiceProcess.start({ ...variables, SERVICE_ROLE: 'worker,scheduler' }));
    await until(async () => (await inFlightByWorker('spread')).join() === '3,3');
    await until(() => held.count === 6);
    expect(handlers.mostAtOnce('spread')).toBe(6);
    held.releaseAll();
    for (const id of ids) expect(await endedRun(client, id)).toMatchObject({ attempt: 1 });
    const slots = await environment.database.query('SELECT DISTINCT running FROM tenant_queues');
    expect(slots).toEqual([{ running: 0 }]);
  });
});
