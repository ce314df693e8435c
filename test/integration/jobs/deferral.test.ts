import { decodeJwt } from 'jose';
import { Client, signUpOwner } from '../../support/client.js';
import type { Answer, RunBody } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { answer, HandlerServer } from '../../support/handler-server.js';
import type { HandlerCall } from '../../support/handler-server.js';
import { HeldCalls } from '../../support/held-calls.js';
import { endedRun, registerJobs, runIn, showRun, trigger, triggerMany } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { atInstant, clockAhead } from '../../support/clocks.js';
import { until } from '../../support/until.js';

interface Body {
  readonly error?: { readonly code: string };
  readonly expires_at?: string;
  readonly token?: string;
  readonly status?: string;
}

const defer = answer(202, undefined, { 'Service-Defer': 'true' });
const LONG_MS = 3_600_000;
const SOON = { type: 'exponential', initial_ms: 1, max_ms: 60_000, multiplier: 2, jitter: 0 };

describe('a deferred attempt', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let client: Client;
  let orgId: string;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceInProcess.start({
      ...variables,
      SERVICE_JOBS__WORKER_COUNT: '2',
      SERVICE_JOBS__MAX_ORG_WORKER_SHARE: '1',
      SERVICE_JOBS__MAX_ORG_CONCURRENT_RUNS: '5',
    });
    handlers.on('later', defer);
    handlers.on('limited', defer);
    handlers.on('brief', (response, nth, call) => {
      (nth === 1 ? defer : answer(200, { nth }))(response, nth, call);
    });
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  beforeEach(async () => {
    ({ client, orgId } = await signUpOwner(service.url));
    await registerJobs(client, {
      later: { timeout_ms: LONG_MS, retries: 1, retry_backoff: SOON },
      limited: { timeout_ms: LONG_MS, max_concurrent_runs: 1 },
      brief: { timeout_ms: LONG_MS, retries: 1, retry_backoff: SOON },
      held: { timeout_ms: LONG_MS },
      quick: {},
    });
  });

  async function callOf(runId: string, nth = 1): Promise<HandlerCall> {
    await until(() => handlers.callsOf(runId).length >= nth);
    const call = handlers.callsOf(runId)[nth - 1];
    if (call === undefined) throw new Error('the handler was not called');
    return call;
  }

  /** Whoever holds the token of an attempt. */
  async function asAttempt(runId: string, nth = 1): Promise<Client> {
    const { headers } = await callOf(runId, nth);
    // A project is known by the token already.
    const kept = Object.entries(client.headers).filter(([name]) => !/^(?:authorization|apikey)$/i.test(name));
    return new Client(service.url)
      .with(Object.fromEntries(kept))
      .as((headers.authorization ?? '').replace('Bearer ', ''));
  }

  async function report(
    by: Client,
    runId: string,
    what: string,
    body: unknown = {},
    attempt = 1,
  ): Promise<Answer<Body>> {
    return await by.post<Body>(`/jobs/v1/runs/${runId}/attempts/${attempt}/${what}`, body);
  }

  async function deferred(runId: string): Promise<void> {
    await until(
      async () => {
        const found = await environment.database.query('SELECT FROM deferred_attempts WHERE run_id = $1', [
          runId,
        ]);
        return found.length === 1;
      },
      60_000,
      () => JSON.stringify(handlers.callsOf(runId).length),
    );
  }

  /** Triggers a job whose handler defers. */
  async function deferredRun(job = 'later'): Promise<{ id: string; run: Client }> {
    const { id } = await trigger(client, job);
    await deferred(id);
    return { id, run: await asAttempt(id) };
  }

  async function counts(): Promise<unknown[]> {
    return await environment.database.query(
      'SELECT running, deferred FROM tenant_queues WHERE tenant_id = $1',
      [orgId],
    );
  }

  const refusal = (status: number, code: string): object => ({ status, body: { error: { code } } });

  it('goes on after the answer of its handler, without a worker, until the handler completes it', async () => {
    const { id, run } = await deferredRun();
    expect(await showRun(client, id)).toMatchObject({ status: 'running', attempts: [{ outcome: null }] });
    expect(await counts()).toEqual([{ running: 1, deferred: 1 }]);
    const tooLarge = await report(run, id, 'complete', { result: 'x'.repeat(65_540) });
    expect(tooLarge.status).toBe(400);
    const completed = await report(run, id, 'complete', { result: [1, 'two'] });
    expect(completed).toMatchObject({ status: 200, body: { status: 'completed' } });
    expect(await showRun(client, id)).toMatchObject({
      status: 'completed',
      result: [1, 'two'],
      attempts: [{ outcome: 'completed', status_code: null }],
    });
    expect(await counts()).toEqual([{ running: 0, deferred: 0 }]);
  });

  it('completes once: the same report again has the same answer and changes nothing, another is refused', async () => {
    const { id, run } = await deferredRun();
    expect((await report(run, id, 'complete', { result: 1 })).status).toBe(200);
    expect(await report(run, id, 'complete', { result: 2 })).toMatchObject({ status: 200 });
    expect(await showRun(client, id)).toMatchObject({ result: 1 });
    expect(await report(run, id, 'fail')).toMatchObject(refusal(409, 'attempt_ended'));
    expect(await report(run, id, 'heartbeat')).toMatchObject(refusal(409, 'attempt_ended'));
    expect(await counts()).toEqual([{ running: 0, deferred: 0 }]);
  });

  it('ends once, of many reports at the same time', async () => {
    const { id, run } = await deferredRun();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_none, n) => report(run, id, n % 2 === 0 ? 'complete' : 'fail')),
    );
    const statuses = new Set(answers.map(({ status }, n) => `${n % 2} ${status}`));
    expect([...statuses].sort()).toEqual(
      answers[0]?.status === 200 ? ['0 200', '1 409'] : ['0 409', '1 200'],
    );
    expect(
      await environment.database.query('SELECT FROM deferred_attempts WHERE run_id = $1 AND fence = 1', [id]),
    ).toEqual([]);
  });

  it('fails as its handler says: with retries, after a time, or for good', async () => {
    const first = await deferredRun();
    const failed = await report(first.run, first.id, 'fail', { error: 'not\0 yet'.replace('\0', '') });
    expect(failed.status).toBe(200);
    await callOf(first.id, 2);
    await deferred(first.id);
    const again = await asAttempt(first.id, 2);
    expect((await report(again, first.id, 'fail', {}, 2)).body.status).toBe('failed');
    expect(await showRun(client, first.id)).toMatchObject({
      error: { code: 'handler_error', message: 'the handler reported a failure' },
      attempts: [{ outcome: 'failed', error: 'not yet' }, { outcome: 'failed' }],
    });
    const fatal = await deferredRun();
    await report(fatal.run, fatal.id, 'fail', { error: 'never', fatal: true });
    expect(await showRun(client, fatal.id)).toMatchObject({
      status: 'failed',
      error: { code: 'handler_fatal', message: 'never' },
    });
    const delayed = await deferredRun();
    await report(delayed.run, delayed.id, 'fail', { retry_after_ms: LONG_MS });
    const waiting = await showRun(client, delayed.id);
    expect(waiting.status).toBe('retrying');
    // Up to max_ms of the backoff, a minute.
    const endedAt = Date.parse(waiting.attempts[0]?.completed_at ?? '');
    expect(Date.parse(waiting.due_at ?? '') - endedAt).toBe(60_000);
  });

  it('is taken at its word before its worker has read the answer, and also without such an answer', async () => {
    const held = new HeldCalls();
    handlers.on('held', held.behaviour);
    const { id } = await trigger(client, 'held');
    const run = await asAttempt(id);
    const beat = await report(run, id, 'heartbeat');
    expect(beat.status).toBe(200);
    // Its call ends after its time limit, whatever is said meanwhile.
    expect((await report(run, id, 'heartbeat')).body.expires_at).toBe(beat.body.expires_at);
    expect((await report(run, id, 'complete', { result: 'early' })).body.status).toBe('completed');
    held.releaseAll();
    expect(await endedRun(client, id)).toMatchObject({
      result: 'early',
      attempts: [{ outcome: 'completed' }],
    });
    handlers.on('held', (response) => {
      void report(client, 'x', 'complete').then(() =>
        response.writeHead(202, { 'Service-Defer': 'true' }).end(),
      );
    });
    const next = await trigger(client, 'held');
    await deferred(next.id);
    expect((await report(await asAttempt(next.id), next.id, 'complete')).status).toBe(200);
    expect(await counts()).toEqual([{ running: 0, deferred: 0 }]);
  });

  it('times out without a sign of life, is retried, and takes no report of the attempt before', async () => {
    const { id } = await trigger(client, 'brief');
    const run = await asAttempt(id);
    await deferred(id);
    await environment.database.query('UPDATE deferred_attempts SET expires_at = now() WHERE run_id = $1', [
      id,
    ]);
    expect(await endedRun(client, id)).toMatchObject({
      status: 'completed',
      attempts: [
        { outcome: 'timeout', error: `no sign of life within ${LONG_MS} ms` },
        { outcome: 'completed' },
      ],
    });
    for (const what of ['complete', 'fail', 'heartbeat'])
      expect(await report(run, id, what)).toMatchObject(refusal(409, 'attempt_ended'));
    expect(await report(run, id, 'complete', {}, 2)).toMatchObject(refusal(403, 'run_token_required'));
    expect(await counts()).toEqual([{ running: 0, deferred: 0 }]);
  });

  it('goes on with signs of life past the expiry of its token, which then opens nothing else', async () => {
    const { id, run } = await deferredRun();
    const first = await report(run, id, 'heartbeat');
    expect(first.status).toBe(200);
    // Past the expiry of its token, which is the process's, and not past the limit of the attempt, which is the database's.
    await atInstant(service, new Date(Date.now() + 2 * LONG_MS), async () => {
      // What is not remembered is verified by a library, which looks at the clock itself.
      const clock = clockAhead(2 * LONG_MS);
      expect(await run.get('/jobs/v1/runs')).toMatchObject(refusal(401, 'invalid_access_token'));
      clock.mockRestore();
      const beat = await report(run, id, 'heartbeat');
      expect(beat.status).toBe(200);
      const { act } = decodeJwt(first.body.token ?? '');
      expect(act).toEqual({ sub: (await showRun(client, id)).actor });
      expect(decodeJwt(beat.body.token ?? '').act).toEqual(act);
      expect((await run.as(beat.body.token ?? '').get('/jobs/v1/runs')).status).toBe(200);
      expect(await report(run, id, 'complete')).toMatchObject({ status: 200, body: { status: 'completed' } });
    });
    expect(await showRun(client, id)).toMatchObject({ attempt: 1 });
  });

  it('adds lines to the log of its run', async () => {
    const { id, run } = await deferredRun();
    const lines = [
      { level: 'info', message: 'half' },
      { level: 'warn', message: 'slow' },
    ];
    expect((await report(run, id, 'log', lines)).status).toBe(204);
    const { body } = await client.get<{ level: string; message: string; attempt: number }[]>(
      `/jobs/v1/runs/${id}/logs`,
    );
    expect(body.filter(({ message }) => /^(?:half|slow)$/.test(message))).toMatchObject(
      lines.map((line) => ({ ...line, attempt: 1 })),
    );
    for (const wrong of [{}, [], [{ level: 'loud', message: 'x' }], [{ level: 'info' }], ['x'], null])
      expect((await report(run, id, 'log', wrong)).status).toBe(400);
    await report(run, id, 'complete');
    expect(await report(run, id, 'log', lines)).toMatchObject(refusal(409, 'attempt_ended'));
  });

  it('has lines confirmed only when they are stored', async () => {
    const { id, run } = await deferredRun();
    const line = { level: 'info', message: 'kept or refused' };
    await environment.database.query('ALTER TABLE run_logs RENAME TO run_logs_away');
    const refused = await report(run, id, 'log', [line]);
    await environment.database.query('ALTER TABLE run_logs_away RENAME TO run_logs');
    expect(refused.status).toBeGreaterThanOrEqual(500);
    expect((await report(run, id, 'log', [line])).status).toBe(204);
    const { body } = await client.get<{ message: string }[]>(`/jobs/v1/runs/${id}/logs`);
    expect(body.filter(({ message }) => message === line.message)).toHaveLength(1);
  });

  it('is reported by nobody but the holder of its token', async () => {
    const { id, run } = await deferredRun();
    const other = await deferredRun();
    for (const by of [client, other.run])
      expect(await report(by, id, 'complete')).toMatchObject(refusal(403, 'run_token_required'));
    expect(await report(run, id, 'complete', {}, 2)).toMatchObject(refusal(403, 'run_token_required'));
    expect((await report(new Client(service.url).as('nonsense'), id, 'complete')).status).toBe(401);
    expect(await showRun(client, id)).toMatchObject({ status: 'running' });
  });

  it('that is cancelled says so to its handler, and leaves its slots', async () => {
    const { id, run } = await deferredRun();
    expect((await client.post(`/jobs/v1/runs/${id}/cancel`)).status).toBe(200);
    expect(await report(run, id, 'heartbeat')).toMatchObject(refusal(409, 'run_cancelled'));
    expect(await report(run, id, 'complete')).toMatchObject(refusal(409, 'run_cancelled'));
    expect(await counts()).toEqual([{ running: 0, deferred: 0 }]);
  });

  it('holds no slot of a worker, but one of its job and one of its organization', async () => {
    const ids = await triggerMany(client, 'later', 4);
    for (const id of ids) await deferred(id);
    // More than there are slots of workers, and yet another run begins.
    const quick = await trigger(client, 'quick');
    await endedRun(client, quick.id);
    const last = await trigger(client, 'later');
    await deferred(last.id);
    const waiting = await trigger(client, 'quick');
    await runIn(client, waiting.id, ['queued']);
    expect(await counts()).toEqual([{ running: 5, deferred: 5 }]);
    expect((await report(await asAttempt(last.id), last.id, 'complete')).status).toBe(200);
    await endedRun(client, waiting.id);
  });

  it('leaves the other slots of the workers to the runs that wait behind it', async () => {
    for (const id of await triggerMany(client, 'later', 3)) await deferred(id);
    const ids = await triggerMany(client, 'quick', 30);
    for (const id of ids) await endedRun(client, id);
    expect(await counts()).toEqual([{ running: 3, deferred: 3 }]);
  });

  it('holds the slot of a job with a limit until it ends', async () => {
    const first = await deferredRun('limited');
    const second = await trigger(client, 'limited');
    const quick = await trigger(client, 'quick');
    await endedRun(client, quick.id);
    expect(handlers.callsOf(second.id)).toEqual([]);
    await report(first.run, first.id, 'complete');
    await deferred(second.id);
  });

  it('survives the shutdown of its worker, which does not wait for it', async () => {
    const { id } = await deferredRun();
    await service.stop();
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceInProcess.start(variables);
    client = client.at(service.url);
    const run = await asAttempt(id);
    expect((await report(run, id, 'heartbeat')).status).toBe(200);
    expect((await report(run, id, 'complete')).body).toMatchObject({ status: 'completed', attempt: 1 });
  });

  it('ends although its job was deleted', async () => {
    const { id, run } = await deferredRun();
    expect((await client.send('DELETE', '/jobs/v1/jobs/later')).status).toBeLessThan(300);
    expect((await report(run, id, 'complete')).body).toMatchObject<Partial<RunBody>>({ status: 'completed' });
  });
});
