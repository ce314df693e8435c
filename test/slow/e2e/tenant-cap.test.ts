import { signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { IS_EXHAUSTIVE } from '../support/exhaustive.js';
import { HandlerServer, silent } from '../../support/handler-server.js';
import { OpenCalls } from '../support/open-calls.js';
import { endedRun, registerJobs, trigger, triggerMany } from '../../support/runs.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';
import { PROMPTLY_MS } from '../promptly.js';
import { slow } from '../slow-handler.js';

const CAP = 5;
/** All 500 take minutes; the share of the time at the cap shows in fewer. */
const RUNS = IS_EXHAUSTIVE ? 500 : 40;
/** Long beside the way from one call's end to the next call on a busy machine, of which five are to be rare. */
const HANDLER_MS = IS_EXHAUSTIVE ? 1000 : 3000;
/** Noticed within 15 s, and some for the call. */
const TAKEOVER_MS = 20_000;

describe('a tenant at max_org_concurrent_runs, with two workers of 20', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let services: ServiceProcess[] = [];
  let variables: Record<string, string>;
  let url: string;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    variables = {
      ...environment.variables,
      ...handlers.variables,
      SERVICE_JOBS__MAX_ORG_CONCURRENT_RUNS: String(CAP),
      SERVICE_JOBS__WORKER_COUNT: '20',
    };
    services = await Promise.all([
      ServiceProcess.start({ ...variables, SERVICE_ROLE: 'api,scheduler' }),
      ServiceProcess.start({ ...variables, SERVICE_ROLE: 'worker' }),
      ServiceProcess.start({ ...variables, SERVICE_ROLE: 'worker' }),
    ]);
    url = services[0]?.url ?? '';
  });

  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await handlers.stop();
    await environment.dispose();
  });

  async function waiting(): Promise<number> {
    const [counted] = await environment.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM runs WHERE status IN ('queued', 'retrying')`,
    );
    return counted?.count ?? 0;
  }

  it('never has more at work, has that many for nine tenths of the time, and delays no other tenant', async () => {
    const [busy, other] = [await signUpOwner(url), await signUpOwner(url)];
    const open = new OpenCalls();
    handlers.on('busy', open.watch(slow(HANDLER_MS)));
    await registerJobs(busy.client, { busy: {} });
    await registerJobs(other.client, { other: {} });
    const ids = await triggerMany(busy.client, 'busy', RUNS);
    const triggeredAt = Date.now();
    const others = await trigger(other.client, 'other');
    await endedRun(other.client, others.id);
    expect((handlers.callsOf(others.id)[0]?.at ?? Infinity) - triggeredAt).toBeLessThan(PROMPTLY_MS);
    expect(new Set(handlers.runIdsOf('busy')).size).toBeLessThan(RUNS);

    await until(async () => (await waiting()) === 0, 150_000);
    const full = open.shareAt(CAP, triggeredAt, Date.now());
    expect(open.most).toBe(CAP);
    expect(full).toBeGreaterThanOrEqual(0.9);
    await until(async () => {
      const left = await environment.database.query(`SELECT FROM runs WHERE status <> 'completed'`);
      return left.length === 0;
    });
    expect(handlers.runIdsOf('busy').sort()).toEqual(ids.sort());
    const attempts = await environment.database.query('SELECT DISTINCT attempt, losses FROM runs');
    expect(attempts).toEqual([{ attempt: 1, losses: 0 }]);
  });

  it('has its capacity back when its workers are killed', async () => {
    const { client } = await signUpOwner(url);
    handlers.on('taken', silent);
    await registerJobs(client, { taken: {} });
    const ids = await triggerMany(client, 'taken', 2 * CAP);
    await until(() => handlers.runIdsOf('taken').length === CAP);
    await Promise.all(services.splice(1).map((worker) => worker.stop('SIGKILL')));
    handlers.on('taken', slow(50));
    services.push(await ServiceProcess.start({ ...variables, SERVICE_ROLE: 'worker' }));
    for (const id of ids) await endedRun(client, id, TAKEOVER_MS);
    const slots = await environment.database.query('SELECT DISTINCT running FROM tenant_queues');
    expect(slots).toEqual([{ running: 0 }]);
    const costs = await environment.database.query(
      `SELECT losses, failures, count(*)::int FROM runs WHERE job_id = 'taken' GROUP BY 1, 2 ORDER BY 1`,
    );
    expect(costs).toEqual([
      { losses: 0, failures: 0, count: CAP },
      { losses: 1, failures: 0, count: CAP },
    ]);
  });
});
