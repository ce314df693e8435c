import { signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { HandlerServer } from '../../support/handler-server.js';
import { HeldCalls } from '../../support/held-calls.js';
import { OpenCalls } from '../support/open-calls.js';
import { endedRun, registerJobs, trigger, triggerMany } from '../../support/runs.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';
import { slow } from '../slow-handler.js';

const HANDLER_MS = 100;

describe('runs that wait for a worker of four', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceProcess;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    // Without the scheduler's sweeps, a slot that a finished run leaves is filled at once or never.
    service = await ServiceProcess.start({
      ...environment.variables,
      ...handlers.variables,
      SERVICE_ROLE: 'api,worker',
    });
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  async function unfinished(): Promise<number> {
    const [counted] = await environment.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM runs WHERE status <> 'completed'`,
    );
    return counted?.count ?? 0;
  }

  it('are taken by tenant in turn: one run of another starts among the first of a long backlog', async () => {
    const url = service.url ?? '';
    const [busy, other] = [await signUpOwner(url), await signUpOwner(url)];
    handlers.on('busy', slow(HANDLER_MS));
    await registerJobs(busy.client, { busy: {} });
    await registerJobs(other.client, { other: {} });
    const ids = await triggerMany(busy.client, 'busy', 300);
    for (let time = 1; time <= 3; time += 1) {
      const before = handlers.calls.length;
      const { id } = await trigger(other.client, 'other');
      await endedRun(other.client, id);
      const ahead = handlers.calls.slice(before).findIndex((call) => call.runId === id);
      // As many as three slots serve in a second, of up to 300.
      expect(ahead).toBeGreaterThanOrEqual(0);
      expect(ahead).toBeLessThan(30);
    }
    expect(new Set(handlers.runIdsOf('busy')).size).toBeLessThan(200);
    await until(async () => (await unfinished()) === 0, 80_000);
    expect(handlers.runIdsOf('busy').sort()).toEqual(ids.sort());
    // The fourth slot is left to others.
    expect(handlers.mostAtOnce('busy')).toBe(3);
  });

  it('of a job at max_concurrent_runs never exceed it, and hold up no other job of their tenant', async () => {
    const { client } = await signUpOwner(service.url ?? '');
    const [narrow, wide] = [new OpenCalls(), new OpenCalls()];
    handlers.on('narrow', narrow.watch(slow(HANDLER_MS)));
    handlers.on('wide', wide.watch(slow(HANDLER_MS)));
    await registerJobs(client, { narrow: { max_concurrent_runs: 1 }, wide: {} });
    const narrowIds = await triggerMany(client, 'narrow', 30);
    const wideIds = await triggerMany(client, 'wide', 30);
    for (const id of wideIds) await endedRun(client, id);
    // Two slots are theirs: the other job, triggered before, has one of the three of their tenant.
    const called = handlers.calls.map(({ runId }) => runId);
    const lastWide = Math.max(...wideIds.map((id) => called.indexOf(id)));
    const isBefore = (id: string): boolean => called.slice(0, lastWide).includes(id);
    expect(narrowIds.filter(isBefore).length).toBeLessThan(27);
    await until(async () => (await unfinished()) === 0, 40_000);
    expect(narrow.most).toBe(1);
    expect(wide.most).toBeGreaterThanOrEqual(2);
    expect(handlers.runIdsOf('narrow').sort()).toEqual(narrowIds.sort());
    expect(await environment.database.query('SELECT DISTINCT running FROM tenant_queues')).toEqual([
      { running: 0 },
    ]);
  });

  it('of a job whose max_concurrent_runs is raised or removed are called at once', async () => {
    const { client } = await signUpOwner(service.url ?? '');
    const held = new HeldCalls();
    handlers.on('raised', held.behaviour);
    await registerJobs(client, { raised: { max_concurrent_runs: 1 } });
    const ids = await triggerMany(client, 'raised', 4);
    await until(() => held.count === 1);
    await registerJobs(client, { raised: { max_concurrent_runs: 2 } });
    await until(() => held.count === 2);
    await registerJobs(client, { raised: {} });
    await until(() => held.count === 3);
    held.releaseAll();
    for (const id of ids) await endedRun(client, id);
  });
});
