import { Client, signUpOwner } from '../../support/client.js';
import { createEmptyDatabase } from '../../support/database.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { fetch } from '../../support/fetch.js';
import { endedRun, registerJobs, trigger } from '../../support/runs.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

interface HealthBody {
  status: string;
  capabilities: { auth: string; jobs: string };
  checks: Record<string, string>;
}

describe('the API and the workers as two processes', () => {
  let environment: TestEnvironment;
  let api: ServiceProcess;
  let worker: ServiceProcess;

  beforeAll(async () => {
    environment = await createEnvironment();
    await environment.deploy('echo', 'export default async (request) => Response.json(await request.json())');
    api = await ServiceProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    worker = await startWorker();
  });

  afterAll(async () => {
    await Promise.all([api.stop(), worker.stop()]);
    await environment.dispose();
  });

  async function startWorker(): Promise<ServiceProcess> {
    return await ServiceProcess.start({ ...environment.variables, SERVICE_ROLE: 'worker,scheduler' });
  }

  async function healthOf(service: ServiceProcess): Promise<HealthBody> {
    const { status, body } = await new Client(service.url ?? '').get<HealthBody>('/health');
    expect(status).toBe(200);
    return body;
  }

  async function untilJobs(state: 'ok' | 'not ok'): Promise<void> {
    await until(async () => ((await healthOf(api)).capabilities.jobs === 'ok') === (state === 'ok'));
  }

  it('run a job that the one accepts and the other works on', async () => {
    const { client } = await signUpOwner(api.url ?? '');
    await registerJobs(client, { echo: {} });
    const { id } = await trigger(client, 'echo', { payload: { a: 1 } });
    expect(await endedRun(client, id)).toMatchObject({ status: 'completed', result: { a: 1 } });
    const [ofApi, ofWorker] = await Promise.all(
      [api, worker].map(async (service) => await new Client(service.url ?? '').get<string>('/metrics')),
    );
    expect(ofApi?.body).toMatch(/^service_jobs_runs_total\{status="completed"\} 0$/m);
    expect(ofWorker?.body).toMatch(/^service_jobs_runs_total\{status="completed"\} 1$/m);
  });

  it('are both healthy, live and ready', async () => {
    await untilJobs('ok');
    for (const service of [api, worker]) {
      expect(await healthOf(service)).toMatchObject({
        status: 'ok',
        capabilities: { auth: 'ok', jobs: 'ok' },
        checks: { postgres: 'ok', redis: 'ok', scheduler: 'ok', worker: 'ok' },
      });
      for (const probe of ['/health/live', '/health/ready']) {
        expect((await new Client(service.url ?? '').get(probe)).status).toBe(200);
      }
    }
  });

  it.each([
    ['GET', '/auth/v1/user', undefined],
    ['GET', '/auth/v1/keys', undefined],
    ['GET', '/.well-known/jwks.json', undefined],
    ['POST', '/auth/v1/signup', { email: 'a@example.com', password: 'not the printed example' }],
    ['POST', '/auth/v1/token', 'not an object'],
    ['POST', '/jobs/v1/jobs', {}],
    ['PUT', '/jobs/v1/runs', undefined],
    ['GET', '/healthy', undefined],
    ['GET', '/docs', undefined],
    ['GET', '/openapi.json', undefined],
    ['GET', '/nowhere', undefined],
  ])('answer 404 to %s %s where the api role is not', async (method, path, body) => {
    const answer = await new Client(worker.url ?? '').send(method, path, body);
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found', status: 404 } } });
  });

  it('answer 404 there before they look at the body', async () => {
    const response = await fetch(`${worker.url ?? ''}/auth/v1/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"half":',
    });
    expect(response.status).toBe(404);
  });

  it('show it in the health of the API when the worker is stopped, and when it is back', async () => {
    expect(await worker.stop()).toBe(0);
    expect(await healthOf(api)).toMatchObject({
      status: 'degraded',
      capabilities: { auth: 'ok', jobs: 'degraded' },
      checks: { postgres: 'ok', redis: 'ok', scheduler: 'down', worker: 'down' },
    });
    const { client } = await signUpOwner(api.url ?? '');
    await registerJobs(client, { echo: {} });
    const waiting = await trigger(client, 'echo');
    expect((await client.get<string>('/metrics')).body).toMatch(/^service_jobs_queue_depth 1$/m);
    worker = await startWorker();
    await untilJobs('ok');
    expect(await endedRun(client, waiting.id)).toMatchObject({ status: 'completed' });
  });

  it('show it in the health of the API when the worker is killed', async () => {
    await worker.stop('SIGKILL');
    // 3 × scheduler_interval_ms + 2 s for the scheduler, three missed beats for the worker.
    await untilJobs('not ok');
    await until(async () => (await healthOf(api)).checks.worker === 'down');
    worker = await startWorker();
    await untilJobs('ok');
  });

  it('leave the health of the worker alone when the API is stopped', async () => {
    expect(await api.stop()).toBe(0);
    expect(await healthOf(worker)).toMatchObject({ capabilities: { jobs: 'ok' } });
  });
});

describe('instances that start at once on an empty database', () => {
  it('all come up, with one signing key between them', async () => {
    const [environment, database] = await Promise.all([createEnvironment(), createEmptyDatabase()]);
    const variables = { ...environment.variables, SERVICE_DATABASE__URL: database.url };
    const roles = ['all', 'api', 'api', 'worker,scheduler'];
    const started = await Promise.allSettled(
      roles.map((role) => ServiceProcess.start({ ...variables, SERVICE_ROLE: role })),
    );
    const services = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    try {
      expect(started.map((each) => each.status)).toEqual(roles.map(() => 'fulfilled'));
      expect(await database.query('SELECT state FROM signing_keys')).toEqual([{ state: 'active' }]);
      const [first, second, third] = services.map((service) => new Client(service.url ?? ''));
      const { accessToken } = await signUpOwner(first?.url ?? '');
      for (const client of [second, third]) {
        expect((await client?.as(accessToken).get('/auth/v1/user'))?.status).toBe(200);
      }
    } finally {
      await Promise.all(services.map((service) => service.stop()));
      await Promise.all([database.drop(), environment.dispose()]);
    }
  });
});
