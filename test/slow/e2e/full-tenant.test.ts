import { signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { answer, HandlerServer } from '../../support/handler-server.js';
import { endedRun, registerJobs, triggerMany } from '../../support/runs.js';
import { ServiceProcess } from '../../support/service-process.js';

describe('runs of a tenant that has all its capacity in use', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceProcess;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    service = await ServiceProcess.start({
      ...environment.variables,
      ...handlers.variables,
      SERVICE_JOBS__MAX_ORG_CONCURRENT_RUNS: '1',
      SERVICE_JOBS__WORKER_COUNT: '8',
      // Without the scheduler's sweeps, a retry starts by its wake-up or not at all.
      SERVICE_ROLE: 'api,worker',
    });
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  it('are tried again at once when due, not at the next sweep', async () => {
    handlers.on('fails', answer(503, {}));
    const { client } = await signUpOwner(service.url ?? '');
    const backoff = { type: 'exponential', initial_ms: 0, max_ms: 0, multiplier: 1 };
    await registerJobs(client, { fails: { retries: 20, retry_backoff: backoff } });
    const ended = await Promise.all(
      (await triggerMany(client, 'fails', 3)).map((id) => endedRun(client, id, 60_000)),
    );
    expect(ended.map((run) => run.attempt)).toEqual([21, 21, 21]);
    expect(handlers.mostAtOnce('fails')).toBe(1);
  });
});
