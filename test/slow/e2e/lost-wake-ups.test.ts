import { signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { HandlerServer } from '../../support/handler-server.js';
import { endedRun, makeDue, registerJobs, trigger, triggerMany } from '../../support/runs.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';
import { slow } from '../slow-handler.js';

describe('the wake-ups of runs', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceProcess;
  let client: Client;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    service = await ServiceProcess.start({
      ...environment.variables,
      ...handlers.variables,
      SERVICE_JOBS__MAX_ORG_CONCURRENT_RUNS: '2',
      SERVICE_JOBS__WORKER_COUNT: '6',
      // Bull itself finds a wake-up of a worker that has died only after this.
      SERVICE_TIMING__REDIS__STALLED_CHECK_MS: '3600000',
    });
    ({ client } = await signUpOwner(service.url ?? ''));
    await registerJobs(client, { quick: {}, held: {} });
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  async function unfinished(): Promise<number> {
    const [counted] = await environment.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM runs WHERE status NOT IN ('completed', 'failed')`,
    );
    return counted?.count ?? 0;
  }

  it('are lost without harm to a tenant whose capacity is always full: its longest waiting run comes first', async () => {
    const release: (() => void)[] = [];
    handlers.on('held', (response) => {
      release.push(() => response.end());
    });
    const held = await triggerMany(client, 'held', 2);
    await until(() => release.length === 2);
    // As accepted by an instance that died before it could tell the workers.
    const lost = await trigger(client, 'quick', { delay_ms: 3_600_000 });
    await makeDue(environment.database, [lost.id], 5_000);
    await triggerMany(client, 'quick', 20);
    handlers.on('quick', slow(50));
    for (const answerHeld of release) answerHeld();
    for (const id of [...held, lost.id]) await endedRun(client, id);
    await until(async () => (await unfinished()) === 0);
    const order = handlers.runIdsOf('quick');
    expect(order.indexOf(lost.id)).toBeLessThan(2);
  });

  it('reach a worker although another one has died with that of the tenant, and Bull ignores others like it', async () => {
    const { client: other, orgId } = await signUpOwner(service.url ?? '');
    await registerJobs(other, { soon: {} });
    handlers.on('soon', slow(0));
    // As a worker that has fetched it leaves it.
    const key = `service:runs:${orgId}`;
    const wakeUp = JSON.stringify({ tenantId: orgId, passes: 0 });
    await environment.redis.client.hset(key, {
      name: '__default__',
      data: wakeUp,
      opts: '{}',
      attemptsMade: 0,
    });
    await environment.redis.client.lpush('service:runs:active', orgId);
    const { id } = await trigger(other, 'soon', { delay_ms: 3_600_000 });
    // As accepted by an instance without a worker.
    await makeDue(environment.database, [id]);
    expect((await endedRun(other, id)).status).toBe('completed');
    expect(await environment.redis.client.exists(key)).toBe(1);
  });
});
