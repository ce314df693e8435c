import { signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { answer, HandlerServer } from '../../support/handler-server.js';
import { PostgresProxy } from '../../support/postgres-proxy.js';
import { endedRun, registerJobs, showRun, trigger } from '../../support/runs.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

/** The name of the prepared statement that writes the end of an attempt. A connection sends its text only the first time. */
const WRITES_THE_END = 'exchange_runs';

describe('the end of an attempt, when the connection that writes it is lost', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let proxy: PostgresProxy;
  let service: ServiceProcess;
  let client: Client;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    proxy = await PostgresProxy.start(environment.database.url);
    service = await ServiceProcess.start({
      ...environment.variables,
      ...handlers.variables,
      SERVICE_DATABASE__URL: proxy.url,
      SERVICE_JOBS__MAX_ORG_CONCURRENT_RUNS: '1',
      // Without the scheduler's sweeps, a run that waits starts by a wake-up or not at all.
      SERVICE_ROLE: 'api,worker',
    });
    ({ client } = await signUpOwner(service.url ?? ''));
    const backoff = { type: 'exponential', initial_ms: 1, max_ms: 1, multiplier: 1 };
    await registerJobs(client, { job: {}, next: {}, again: { retries: 1, retry_backoff: backoff } });
  });

  afterAll(async () => {
    await service.stop();
    await proxy.stop();
    await handlers.stop();
    await environment.dispose();
  });

  async function counted(sample: string): Promise<number> {
    const { body } = await client.get<string>('/metrics');
    const line = body.split('\n').find((each) => each.startsWith(`${sample} `));
    return Number(line?.slice(sample.length + 1));
  }

  it('counts once if it was written, and gives its capacity to the run that waits for it at once', async () => {
    let release = (): void => undefined;
    handlers.on('job', (response) => {
      release = () => response.end();
    });
    const { id } = await trigger(client, 'job');
    await until(() => handlers.callsOf(id).length === 1);
    const waiting = await trigger(client, 'next');
    const isLost = proxy.lose('answer', WRITES_THE_END);
    release();
    await isLost;
    expect(await endedRun(client, id)).toMatchObject({ status: 'completed', attempt: 1 });
    expect(await endedRun(client, waiting.id)).toMatchObject({ status: 'completed', attempt: 1 });
    expect(handlers.calls).toHaveLength(2);
    await until(async () => (await counted('service_jobs_runs_total{status="completed"}')) === 2);
    expect(await counted('service_jobs_run_duration_seconds_count')).toBe(2);
    expect(service.log).not.toContain('lost its claim');
  });

  it('has its retry follow at once if it was written', async () => {
    handlers.on('again', (response, nth, call) => {
      answer(nth === 1 ? 503 : 200)(response, nth, call);
    });
    const isLost = proxy.lose('answer', WRITES_THE_END);
    const { id } = await trigger(client, 'again');
    await isLost;
    const ended = await endedRun(client, id);
    expect(ended).toMatchObject({
      status: 'completed',
      attempts: [{ outcome: 'failed' }, { outcome: 'completed' }],
    });
  });

  it('is not taken for its own where it was not written, and somebody else ended the attempt meanwhile', async () => {
    const before = await counted('service_jobs_runs_total{status="completed"}');
    handlers.on('job', answer(200));
    const isLost = proxy.lose('statement', WRITES_THE_END);
    const { id } = await trigger(client, 'job');
    await isLost;
    expect((await client.post(`/jobs/v1/runs/${id}/cancel`)).status).toBe(200);
    await until(() => service.log.includes(`attempt 1 of ${id} lost its claim`));
    expect(await showRun(client, id)).toMatchObject({
      status: 'cancelled',
      attempts: [{ outcome: 'cancelled' }],
    });
    expect(await counted('service_jobs_runs_total{status="completed"}')).toBe(before);
  });
});
