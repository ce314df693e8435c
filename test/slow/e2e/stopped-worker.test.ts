import { Client, signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { answer, HandlerServer } from '../../support/handler-server.js';
import { endedRun, registerJobs, showRun, trigger } from '../../support/runs.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';
import { PROMPTLY_MS } from '../promptly.js';

/** Noticed within 15 s. */
const NOTICED_MS = 15_000;
/** And begun anew by the next sweep, should the stopped worker's connection have swallowed the wake-up; some for the call. */
const TAKEOVER_MS = 40_000;

describe('a worker that stands still for longer than its heartbeat', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  const services: ServiceProcess[] = [];

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
  });

  afterAll(async () => {
    // One that stands still cannot end.
    for (const service of services) service.signal('SIGCONT');
    await Promise.all(services.map((service) => service.stop()));
    await handlers.stop();
    await environment.dispose();
  });

  async function start(role: string): Promise<ServiceProcess> {
    const variables = { ...environment.variables, ...handlers.variables, SERVICE_ROLE: role };
    const service = await ServiceProcess.start(variables);
    services.push(service);
    return service;
  }

  async function completedAt(service: ServiceProcess): Promise<number> {
    const { body } = await new Client(service.url ?? '').get<string>('/metrics');
    return Number(/^service_jobs_runs_total\{status="completed"\} (\d+)$/m.exec(body)?.[1]);
  }

  it('loses its run, and what it still says of it changes nothing', async () => {
    const [api, stopped] = [await start('api,scheduler'), await start('worker')];
    const { client } = await signUpOwner(api.url ?? '');
    let isClosed = false;
    let answerLate = (): void => undefined;
    handlers.on('job', (response, nth, call) => {
      if (nth > 1) {
        answer(200, { nth })(response, nth, call);
        return;
      }
      response.on('close', () => (isClosed = true));
      answerLate = () => {
        answer(200, { nth })(response, nth, call);
      };
    });
    await registerJobs(client, { job: { retries: 0 } });
    const { id } = await trigger(client, 'job');
    await until(() => handlers.callsOf(id).length === 1);

    stopped.signal('SIGSTOP');
    const stoppedAt = Date.now();
    const other = await start('worker');
    const ended = await endedRun(client, id, TAKEOVER_MS);
    expect(ended).toMatchObject({ status: 'completed', attempt: 2, max_attempts: 1, result: { nth: 2 } });
    expect(ended.attempts).toMatchObject([{ outcome: 'lost' }, { outcome: 'completed' }]);
    expect(Date.parse(ended.attempts[0]?.completed_at ?? '') - stoppedAt).toBeLessThan(
      NOTICED_MS + PROMPTLY_MS,
    );

    answerLate();
    stopped.signal('SIGCONT');
    // It takes up where it was: it reads the answer, and finds that the attempt is no longer its own.
    await until(() => isClosed && stopped.log.includes(`attempt 1 of ${id} lost its claim`));
    expect(await showRun(client, id)).toEqual(ended);
    expect(await Promise.all([stopped, other].map(completedAt))).toEqual([0, 1]);
    expect(await environment.database.query('SELECT running FROM tenant_queues')).toEqual([{ running: 0 }]);
    // And goes on with others as if nothing had been.
    await other.stop();
    const next = await trigger(client, 'job');
    handlers.on('job', answer(200, {}));
    expect(await endedRun(client, next.id)).toMatchObject({ status: 'completed', attempt: 1 });
  });
});
