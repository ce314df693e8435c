import { signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { HandlerServer } from '../../support/handler-server.js';
import { HeldCalls } from '../../support/held-calls.js';
import { endedRun, registerJobs, trigger } from '../../support/runs.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

describe('a worker of which every slot is taken', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  const services: ServiceProcess[] = [];

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
  });

  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await handlers.stop();
    await environment.dispose();
  });

  /** No scheduler: without its sweeps, a run starts by its wake-up or not at all. */
  async function started(role: string, slots: number): Promise<string> {
    const service = await ServiceProcess.start({
      ...environment.variables,
      ...handlers.variables,
      SERVICE_ROLE: role,
      SERVICE_JOBS__WORKER_COUNT: String(slots),
    });
    services.push(service);
    return service.url ?? '';
  }

  it('keeps no wake-up of a tenant from a worker with free slots', async () => {
    const full = await started('api,worker', 1);
    const api = await started('api', 1);
    const busy = await signUpOwner(full);
    const other = await signUpOwner(api);
    await registerJobs(busy.client, { busy: {} });
    await registerJobs(other.client, { other: {} });
    const held = new HeldCalls();
    handlers.on('busy', held.behaviour);
    const { id } = await trigger(busy.client, 'busy');
    await until(() => held.count === 1);
    // It waits for wake-ups before the other worker does, and would get the first.
    await started('worker', 4);
    for (let time = 1; time <= 12; time += 1) {
      const run = await trigger(other.client, 'other');
      await endedRun(other.client, run.id);
    }
    expect(held.count).toBe(1);
    held.releaseAll();
    await endedRun(busy.client, id);
  });

  it('takes the next wake-up once a slot is free', async () => {
    const [full] = services;
    const { client } = await signUpOwner(full?.url ?? '');
    await services.pop()?.stop();
    const held = new HeldCalls();
    handlers.on('first', held.behaviour);
    await registerJobs(client, { first: {}, second: {} });
    await trigger(client, 'first');
    await until(() => held.count === 1);
    const { id } = await trigger(client, 'second', { delay_ms: 1 });
    held.releaseAll();
    await endedRun(client, id);
  });
});
