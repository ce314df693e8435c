import { signUpOwner } from '../../support/client.js';
import type { Client, RunBody } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { answer, HandlerServer } from '../../support/handler-server.js';
import { endedRun, registerJobs, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

interface Registered {
  readonly jobs: { readonly change: string }[];
}

const QUICK = { type: 'exponential', initial_ms: 0, max_ms: 0, multiplier: 1, jitter: 0 };

describe('retry_on of a job', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let client: Client;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceInProcess.start(variables);
    ({ client } = await signUpOwner(service.url));
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  async function run(status: number, fields: Record<string, unknown>): Promise<RunBody> {
    handlers.on('failing', answer(status, {}));
    await registerJobs(client, { failing: { retries: 2, retry_backoff: QUICK, ...fields } });
    return await endedRun(client, (await trigger(client, 'failing')).id);
  }

  it.each([
    [503, [429, 503], 3, 'handler_error'],
    [500, [429, 503], 1, 'handler_error'],
    [404, [], 1, 'handler_error'],
    [422, [503], 1, 'handler_fatal'],
    [422, [422], 3, 'handler_error'],
  ])(
    'ends a run that is answered %i, of %j, after %i attempts with %s',
    async (status, listed, attempts, code) => {
      const ended = await run(status, { retry_on: { status: listed } });
      expect([ended.status, ended.attempts.length, ended.error?.code]).toEqual(['failed', attempts, code]);
    },
  );

  it('leaves the retries of a job without it, of timeouts and of unreachable handlers as they are', async () => {
    expect((await run(500, {})).attempts).toHaveLength(3);
    expect((await run(422, {})).attempts).toHaveLength(1);
    handlers.on('silent', () => undefined);
    handlers.on('broken', (response) => response.destroy());
    const fields = { retries: 1, retry_backoff: QUICK, retry_on: { status: [503] } };
    await registerJobs(client, { silent: { ...fields, timeout_ms: 100 }, broken: fields });
    for (const job of ['silent', 'broken'])
      expect((await endedRun(client, (await trigger(client, job)).id)).attempts).toHaveLength(2);
  });

  it('stands with the job, and registering it again changes nothing', async () => {
    const job = {
      id: 'shown',
      name: 'shown',
      handler: 'shown',
      retry_backoff: QUICK,
      retry_on: { status: [503, 429] },
      retention_days: 7,
    };
    const register = async (...jobs: unknown[]): Promise<string[]> =>
      (await client.post<Registered>('/jobs/v1/jobs', { jobs })).body.jobs.map(({ change }) => change);
    expect(await register(job)).toEqual(['created']);
    expect(await register(job)).toEqual(['unchanged']);
    const { body } = await client.get('/jobs/v1/jobs/shown');
    expect(body).toMatchObject({ retry_backoff: QUICK, retry_on: { status: [503, 429] }, retention_days: 7 });
    expect(body.retry_backoff).toEqual(QUICK);
    expect(await register({ ...job, retry_on: undefined, retention_days: undefined })).toEqual(['updated']);
    const { body: later } = await client.get('/jobs/v1/jobs/shown');
    expect(Object.keys(later)).not.toContain('retry_on');
    expect(Object.keys(later)).not.toContain('retention_days');
  });

  it.each([
    [{}, 'jobs[0].retry_on.status'],
    [{ status: 503 }, 'jobs[0].retry_on.status'],
    [{ status: [200] }, 'jobs[0].retry_on.status[0]'],
    [{ status: [600] }, 'jobs[0].retry_on.status[0]'],
    [{ status: [503, 503] }, 'jobs[0].retry_on.status'],
    [{ status: ['503'] }, 'jobs[0].retry_on.status[0]'],
    [{ status: [503], codes: [] }, 'jobs[0].retry_on.codes'],
    [[503], 'jobs[0].retry_on'],
    [null, 'jobs[0].retry_on'],
  ])('may not be %j', async (retryOn, path) => {
    const jobs = [{ id: 'faulty', name: 'faulty', handler: 'faulty', retry_on: retryOn }];
    const { status, body } = await client.post<{ error: { details: { path: string }[] } }>('/jobs/v1/jobs', {
      jobs,
    });
    expect([status, body.error.details.map((detail) => detail.path)]).toEqual([400, [path]]);
  });
});
