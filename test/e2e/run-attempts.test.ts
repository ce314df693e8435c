import pg from 'pg';
import { signUpOwner } from '../support/client.js';
import type { Client, RunBody } from '../support/client.js';
import { createEnvironment } from '../support/environment.js';
import type { TestEnvironment } from '../support/environment.js';
import { answer, HandlerServer, silent } from '../support/handler-server.js';
import { endedRun, gapsOf, registerJobs, runIn, trigger, triggerMany } from '../support/runs.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

const BACKOFF = { type: 'exponential', initial_ms: 300, max_ms: 5000, multiplier: 3 };
const QUICK = { type: 'exponential', initial_ms: 50, max_ms: 50, multiplier: 1 };

describe('the attempts of a run', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceProcess;
  let client: Client;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    service = await ServiceProcess.start({
      ...environment.variables,
      ...handlers.variables,
      // Port 1 is reserved and nothing listens there.
      SERVICE_FUNCTIONS__HANDLERS__nowhere: 'http://127.0.0.1:1/',
      SERVICE_JOBS__WORKER_COUNT: '20',
    });
    ({ client } = await signUpOwner(service.url ?? ''));
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  async function run(id: string, fields: Record<string, unknown> = {}): Promise<RunBody> {
    await registerJobs(client, { [id]: fields });
    return await endedRun(client, (await trigger(client, id)).id);
  }

  it('complete a handler that answers 503 twice, with gaps as the backoff says', async () => {
    handlers.on('flaky', (response, nth, call) => {
      answer(nth < 3 ? 503 : 200, { nth })(response, nth, call);
    });
    const ended = await run('flaky', { retries: 3, retry_backoff: BACKOFF });
    expect(ended).toMatchObject({ status: 'completed', attempt: 3, max_attempts: 4, result: { nth: 3 } });
    expect(ended).not.toHaveProperty('error');
    expect(ended.attempts).toMatchObject([
      { number: 1, outcome: 'failed', status_code: 503 },
      { number: 2, outcome: 'failed', status_code: 503 },
      { number: 3, outcome: 'completed', status_code: 200 },
    ]);
    const [first = 0, second = 0] = gapsOf(ended);
    expect(first).toBeGreaterThanOrEqual(300);
    expect(second).toBeGreaterThanOrEqual(900);
  });

  it('wait as long as Retry-After asks, in seconds or as a date, but not over max_ms', async () => {
    handlers.on('asks-seconds', (response, nth, call) => {
      if (nth === 1) answer(429, {}, { 'retry-after': '1' })(response, nth, call);
      else answer(200, {})(response, nth, call);
    });
    handlers.on('asks-too-much', (response, nth, call) => {
      const date = new Date(Date.now() + 3_600_000).toUTCString();
      if (nth === 1) answer(503, {}, { 'retry-after': date })(response, nth, call);
      else answer(200, {})(response, nth, call);
    });
    const [seconds, tooMuch] = await Promise.all([
      run('asks-seconds', { retries: 1, retry_backoff: { ...QUICK, max_ms: 5000 } }),
      run('asks-too-much', { retries: 1, retry_backoff: { ...QUICK, max_ms: 400 } }),
    ]);
    expect(gapsOf(seconds)[0]).toBeGreaterThanOrEqual(1000);
    // It ended at all: an hour was asked for.
    expect(gapsOf(tooMuch)[0]).toBeGreaterThanOrEqual(400);
  });

  it('end with the first 422, whose message the run shows', async () => {
    handlers.on('hopeless', answer(422, { error: 'no such customer' }));
    const ended = await run('hopeless', { retries: 5, retry_backoff: QUICK });
    expect(ended).toMatchObject({
      status: 'failed',
      attempt: 1,
      error: { code: 'handler_fatal', message: 'no such customer' },
      attempts: [{ number: 1, outcome: 'failed', status_code: 422, error: 'no such customer' }],
    });
    expect(handlers.callsOf(ended.id)).toHaveLength(1);
  });

  it.each([400, 401, 404, 409, 429, 500, 502])(
    'are repeated after a %d while retries remain',
    async (status) => {
      handlers.on(`answers-${status}`, answer(status, {}));
      const ended = await run(`answers-${status}`, { retries: 1, retry_backoff: QUICK });
      expect(ended).toMatchObject({ status: 'failed', attempt: 2, error: { code: 'handler_error' } });
      expect(handlers.callsOf(ended.id)).toHaveLength(2);
    },
  );

  it('fail as handler_unreachable where nothing listens', async () => {
    const ended = await run('nowhere', { retries: 1, retry_backoff: QUICK });
    expect(ended).toMatchObject({ status: 'failed', attempt: 2, error: { code: 'handler_unreachable' } });
    expect(ended.attempts.map((attempt) => attempt.status_code)).toEqual([null, null]);
  });

  it('fail as handler_unreachable when the handler hangs up', async () => {
    handlers.on('hangs-up', (response) => response.destroy());
    const ended = await run('hangs-up');
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'handler_unreachable' } });
  });

  it('are interrupted, and not failed, when the database fails before the handler is called', async () => {
    handlers.on('unprepared', answer(200, {}));
    // Its run token outlives the others, so the key's time is extended before the call.
    await registerJobs(client, { unprepared: { timeout_ms: 14_400_000 } });
    const holder = new pg.Client({ connectionString: environment.database.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE signing_keys IN EXCLUSIVE MODE');
    const { id } = await trigger(client, 'unprepared');
    await until(async () => {
      const ended = await environment.database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%signing_keys%'`,
      );
      return ended.length > 0;
    });
    await holder.query('ROLLBACK');
    await holder.end();
    const ended = await endedRun(client, id);
    expect(ended).toMatchObject({ status: 'completed', attempt: 2, max_attempts: 1 });
    expect(ended.attempts).toMatchObject([
      { outcome: 'interrupted', error: 'the database was unavailable before the handler was called' },
      { outcome: 'completed' },
    ]);
    expect(handlers.callsOf(id)).toHaveLength(1);
  });

  it('time out when no answer comes, and a late answer changes nothing', async () => {
    const open: (() => void)[] = [];
    handlers.on('late', (response, nth, call) => {
      open.push(() => {
        answer(200, { late: true })(response, nth, call);
      });
    });
    const ended = await run('late', { timeout_ms: 400, retries: 1, retry_backoff: QUICK });
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'timeout' }, result: null });
    expect(ended.attempts.map((attempt) => attempt.outcome)).toEqual(['timeout', 'timeout']);
    for (const { error } of ended.attempts) expect(error).toBe('no complete answer within 400 ms');
    for (const answerLate of open) answerLate();
    // Whatever the late answer could change, another run that came after it would show that it had time to.
    await run('after-late');
    expect(await endedRun(client, ended.id)).toEqual(ended);
  });

  it('time out when the body of the answer drips past the limit', async () => {
    handlers.on('drips', (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => {
        clearInterval(drip);
      });
    });
    const ended = await run('drips', { timeout_ms: 500 });
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
  });

  it('keep the terms that the run was accepted under when the job is edited meanwhile', async () => {
    handlers.on('edited', answer(500, {}));
    await registerJobs(client, { edited: { retries: 2, retry_backoff: { ...QUICK, initial_ms: 50 } } });
    const { id } = await trigger(client, 'edited', { delay_ms: 300 });
    await registerJobs(client, { edited: { handler: 'hopeless', retries: 0 } });
    const ended = await endedRun(client, id);
    expect(ended).toMatchObject({ status: 'failed', attempt: 3, error: { code: 'handler_error' } });
    expect(handlers.callsOf(id).map((call) => call.handler)).toEqual(['edited', 'edited', 'edited']);
  });

  it('go on beside many others without a warning', async () => {
    const release: (() => void)[] = [];
    handlers.on('held', (response) => {
      release.push(() => response.end());
    });
    await registerJobs(client, { held: {} });
    const ids = await triggerMany(client, 'held', 15);
    await until(() => release.length === 15);
    for (const answerHeld of release) answerHeld();
    for (const id of ids) expect(await endedRun(client, id)).toMatchObject({ status: 'completed' });
    expect(service.log).not.toMatch(/warning/i);
  });

  it('let a running run show that it runs', async () => {
    handlers.on('silent', silent);
    await registerJobs(client, { silent: {} });
    const { id } = await trigger(client, 'silent');
    await until(() => handlers.callsOf(id).length === 1);
    expect(await runIn(client, id, ['running'])).toMatchObject({
      attempt: 1,
      attempts: [{ number: 1, completed_at: null, outcome: null }],
    });
    await client.post(`/jobs/v1/runs/${id}/cancel`);
  });
});
