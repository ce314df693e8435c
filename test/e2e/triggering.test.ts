import { signUpOwner } from '../support/client.js';
import type { Answer, Client, RunBody } from '../support/client.js';
import { createEnvironment } from '../support/environment.js';
import type { TestEnvironment } from '../support/environment.js';
import { HandlerServer } from '../support/handler-server.js';
import { endedRun, registerJobs, trigger } from '../support/runs.js';
import { ServiceProcess } from '../support/service-process.js';

type Refusal = Answer<{ error: { code: string; details?: { path: string }[] } }>;

describe('triggering a job', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceProcess;
  let client: Client;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    service = await ServiceProcess.start({ ...environment.variables, ...handlers.variables });
    ({ client } = await signUpOwner(service.url ?? ''));
    await registerJobs(client, { job: {}, other: {} });
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  async function triggerWith(key: string, body: unknown, job = 'job'): Promise<Answer<RunBody>> {
    return await client.with({ 'idempotency-key': key }).post<RunBody>(`/jobs/v1/jobs/${job}/trigger`, body);
  }

  it('answers the first run to a repeated Idempotency-Key, also once the run has ended', async () => {
    const first = await triggerWith('key-1', { payload: { n: 1 } });
    const ended = await endedRun(client, first.body.id);
    const second = await triggerWith('key-1', { payload: { n: 1 } });
    expect(second).toMatchObject({ status: 202, body: { id: first.body.id, status: 'completed' } });
    expect(await endedRun(client, first.body.id)).toEqual(ended);
    expect(handlers.callsOf(first.body.id)).toHaveLength(1);
  });

  it('refuses a repeated Idempotency-Key with another body', async () => {
    await triggerWith('key-2', { payload: { n: 1 } });
    for (const body of [{ payload: { n: 2 } }, {}, { payload: { n: 1 }, delay_ms: 5 }]) {
      expect(await triggerWith('key-2', body)).toMatchObject({
        status: 409,
        body: { error: { code: 'idempotency_mismatch' } },
      });
    }
  });

  it('keeps the Idempotency-Keys of one job and of one organization apart from those of another', async () => {
    const stranger = await signUpOwner(service.url ?? '');
    await registerJobs(stranger.client, { job: {} });
    const mine = await triggerWith('key-3', {});
    const othersJob = await triggerWith('key-3', { payload: { n: 3 } }, 'other');
    const theirs = await stranger.client
      .with({ 'idempotency-key': 'key-3' })
      .post<RunBody>('/jobs/v1/jobs/job/trigger', { payload: { n: 4 } });
    expect(new Set([mine.body.id, othersJob.body.id, theirs.body.id]).size).toBe(3);
  });

  it('makes one run of fifty simultaneous requests with one Idempotency-Key', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => triggerWith('key-4', { payload: { n: 1 } })),
    );
    expect(answers.map((each) => each.status)).toEqual(Array.from({ length: 50 }, () => 202));
    const ids = new Set(answers.map((each) => each.body.id));
    expect(ids.size).toBe(1);
    const [id = ''] = ids;
    await endedRun(client, id);
    expect(handlers.callsOf(id)).toHaveLength(1);
  });

  it('lets a refused request leave its Idempotency-Key free', async () => {
    expect((await triggerWith('key-5', {}, 'absent')).status).toBe(404);
    await registerJobs(client, { absent: {} });
    expect((await triggerWith('key-5', { payload: { n: 2 } }, 'absent')).status).toBe(202);
  });

  it('waits as long as delay_ms says', async () => {
    const run = await trigger(client, 'job', { delay_ms: 800 });
    expect(run).toMatchObject({ status: 'queued', attempt: 0 });
    const dueAt = Date.parse(run.due_at ?? '');
    expect(dueAt - Date.parse(run.created_at)).toBe(800);
    const { attempts } = await endedRun(client, run.id);
    expect(Date.parse(attempts[0]?.started_at ?? '')).toBeGreaterThanOrEqual(dueAt);
  });

  it('answers when a delayed run is due, until the run has started', async () => {
    const waiting = await trigger(client, 'job', { delay_ms: 3_600_000 });
    expect(Date.parse(waiting.due_at ?? '') - Date.parse(waiting.created_at)).toBe(3_600_000);
    const listed = (await client.get<RunBody[]>('/jobs/v1/runs?status=queued')).body;
    expect(listed.find(({ id }) => id === waiting.id)?.due_at).toBe(waiting.due_at);
    const cancelled = await client.post<RunBody>(`/jobs/v1/runs/${waiting.id}/cancel`);
    expect(cancelled.body).toMatchObject({ status: 'cancelled', due_at: null });

    const ended = await endedRun(client, (await trigger(client, 'job')).id);
    expect(ended.due_at).toBeNull();
  });

  it.each([
    ['a job that does not exist', 'absent-job', {}, 404, 'job_not_found'],
    ['a payload that is no object', 'job', { payload: [1] }, 400, 'validation_failed'],
    ['a null payload', 'job', { payload: null }, 400, 'validation_failed'],
    ['a null delay', 'job', { delay_ms: null }, 400, 'validation_failed'],
    ['a negative delay', 'job', { delay_ms: -1 }, 400, 'validation_failed'],
    ['a delay in text', 'job', { delay_ms: '5' }, 400, 'validation_failed'],
    ['an unknown field', 'job', { delay: 5 }, 400, 'validation_failed'],
  ])('refuses %s', async (_title, job, body, status, code) => {
    const refused: Refusal = await client.post(`/jobs/v1/jobs/${job}/trigger`, body);
    expect(refused).toMatchObject({ status, body: { error: { code, status } } });
  });

  it('refuses an Idempotency-Key that is empty or too long', async () => {
    for (const key of ['', 'k'.repeat(256)]) expect((await triggerWith(key, {})).status).toBe(400);
  });

  it('refuses a manifest with null where a value belongs, naming each path', async () => {
    const nulls = { retry_backoff: null, timeout_ms: null, retries: null, triggers: null };
    const refused: Refusal = await client.post('/jobs/v1/jobs', {
      jobs: [{ id: 'nulls', name: 'nulls', handler: 'nulls', ...nulls }],
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error.details?.map(({ path }) => path).sort()).toEqual(
      Object.keys(nulls)
        .map((name) => `jobs[0].${name}`)
        .sort(),
    );
  });

  it("answers 404 for another organization's run and job", async () => {
    const { id } = await trigger(client, 'job');
    const stranger = await signUpOwner(service.url ?? '');
    expect(await stranger.client.get(`/jobs/v1/runs/${id}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'run_not_found' } },
    });
    expect((await stranger.client.post('/jobs/v1/jobs/job/trigger')).status).toBe(404);
    expect((await stranger.client.get('/jobs/v1/runs')).body).toEqual([]);
  });

  it('lists all runs once, newest first, a page at a time by the Link header', async () => {
    const owner = await signUpOwner(service.url ?? '');
    await registerJobs(owner.client, { job: {} });
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) ids.push((await trigger(owner.client, 'job')).id);
    const pages: string[][] = [];
    let path: string | undefined = '/jobs/v1/runs?limit=3';
    while (path !== undefined) {
      const page: Answer<RunBody[]> = await owner.client.get<RunBody[]>(path);
      expect(page.status).toBe(200);
      pages.push(page.body.map((run) => run.id));
      path = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(ids.reverse());
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'cursor=', 'limit=1&limit=2', 'colour=red'])(
    'refuses a list of runs with %s',
    async (query) => {
      const refused: Refusal = await client.get(`/jobs/v1/runs?${query}`);
      expect(refused).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } });
    },
  );
});
