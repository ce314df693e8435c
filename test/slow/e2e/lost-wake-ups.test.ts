import { signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { HandlerServer } from '../../support/handler-server.js';
import { endedRun, registerJobs, trigger, triggerMany } from '../../support/runs.js';
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
    await environment.database.query(`UPDATE runs SET due_at = now() - interval '5 s' WHERE id = $1`, [
      lost.id,
    ]);
    await triggerMany(client, 'quick', 20);
    handlers.on('quick', slow(50));
    for (const answerHeld of release) answerHeld();
    for (const id of [...held, lost.id]) await endedRun(client, id);
    await until(async () => (await unfinished()) === 0);
    const order = handlers.runIdsOf('quick');
    expect(order.indexOf(lost.id)).toBeLessThan(2);
  });
});
