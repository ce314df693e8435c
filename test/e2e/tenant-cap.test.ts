import { signUpOwner } from '../support/client.js';
import { createEnvironment } from '../support/environment.js';
import type { TestEnvironment } from '../support/environment.js';
import { HandlerServer, slow } from '../support/handler-server.js';
import { endedRun, registerJobs, trigger, triggerMany } from '../support/runs.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

const CAP = 3;
const RUNS = 60;
const HANDLER_MS = 100;

describe('a tenant at max_org_concurrent_runs', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let services: ServiceProcess[] = [];

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    const variables = {
      ...environment.variables,
      ...handlers.variables,
      SERVICE_JOBS__MAX_ORG_CONCURRENT_RUNS: String(CAP),
      SERVICE_JOBS__WORKER_COUNT: '10',
    };
    services = await Promise.all([
      ServiceProcess.start(variables),
      ServiceProcess.start({ ...variables, SERVICE_ROLE: 'worker' }),
    ]);
  }, 60_000);

  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await handlers.stop();
    await environment.dispose();
  });

  it('never has more at work, delays no other tenant, and leaves no room unused', async () => {
    const url = services[0]?.url ?? '';
    const [busy, other] = [await signUpOwner(url), await signUpOwner(url)];
    handlers.on('busy', slow(HANDLER_MS));
    await registerJobs(busy.client, { busy: {} });
    await registerJobs(other.client, { other: {} });
    const startedAt = Date.now();
    const ids = await triggerMany(busy.client, 'busy', RUNS);
    const triggeredAt = Date.now();
    const others = await trigger(other.client, 'other');
    await endedRun(other.client, others.id);
    expect((handlers.callsOf(others.id)[0]?.at ?? Infinity) - triggeredAt).toBeLessThan(2500);
    expect(new Set(handlers.runIdsOf('busy')).size).toBeLessThan(RUNS);

    await until(async () => {
      const left = await environment.database.query(`SELECT FROM runs WHERE status <> 'completed'`);
      return left.length === 0;
    }, 60_000);
    expect(handlers.mostAtOnce('busy')).toBe(CAP);
    expect(handlers.runIdsOf('busy').sort()).toEqual(ids.sort());
    const attempts = await environment.database.query('SELECT DISTINCT attempt, losses FROM runs');
    expect(attempts).toEqual([{ attempt: 1, losses: 0 }]);
    // 20 rounds of 100 ms, with room for a busy machine. Left to the sweeper, each round would take seconds.
    const idealMs = (RUNS / CAP) * HANDLER_MS;
    expect(Date.now() - startedAt).toBeLessThan(10 * idealMs);
    const calledAt = handlers.calls.filter((call) => call.handler === 'busy').map((call) => call.at);
    const gaps = calledAt.slice(1).map((at, index) => at - (calledAt[index] ?? at));
    expect(Math.max(...gaps)).toBeLessThan(3000);
  }, 120_000);
});
