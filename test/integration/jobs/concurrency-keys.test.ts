import { createHash } from 'node:crypto';
import { signUpOwner } from '../../support/client.js';
import type { Client, RunBody } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { HandlerProgram } from '../../support/handler-program.js';
import { answer } from '../../support/handler-server.js';
import type { HandlerServer } from '../../support/handler-server.js';
import { HeldCalls } from '../../support/held-calls.js';
import { endedRun, makeDue, registerJobs, runIn, showRun, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

const BY_CUSTOMER = { key: '/customer/id', limit: 1 };

describe('the concurrency of a job by a value of the payload', () => {
  let program: HandlerProgram;
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let client: Client;
  let tenantId: string;
  let held: HeldCalls;

  beforeAll(async () => {
    program = await HandlerProgram.start({ SERVICE_JOBS__WORKER_COUNT: '50' });
    ({ environment, handlers, service } = program);
  });

  afterAll(async () => {
    await program.stop();
  });

  beforeEach(async () => {
    ({ client, orgId: tenantId } = await signUpOwner(service.url));
    held = new HeldCalls();
    handlers.on('sync', held.behaviour);
  });

  afterEach(async () => {
    held.releaseAll();
    expect(await environment.database.query('TABLE tenant_queues_with_wrong_counts')).toEqual([]);
  });

  async function of(customer: unknown, more: Record<string, unknown> = {}): Promise<RunBody> {
    return await trigger(client, 'sync', { payload: { customer: { id: customer } }, ...more });
  }

  async function blocked(): Promise<string[]> {
    const rows = await environment.database.query<{ id: string }>(
      `SELECT id FROM runs_active WHERE tenant_id = $1 AND blocked = 'concurrency' ORDER BY id`,
      [tenantId],
    );
    return rows.map(({ id }) => id);
  }

  async function isBlocked(...runs: RunBody[]): Promise<void> {
    const ids = runs.map(({ id }) => id).sort();
    await until(async () => JSON.stringify(await blocked()) === JSON.stringify(ids));
  }

  async function statuses(runs: readonly RunBody[]): Promise<string[]> {
    return await Promise.all(runs.map(async ({ id }) => (await showRun(client, id)).status));
  }

  it('lets one run of each value go on, and the others wait without keeping other values from it', async () => {
    await registerJobs(client, { sync: { concurrency: BY_CUSTOMER } });
    const first = await of('a');
    await runIn(client, first.id, ['running']);
    const second = await of('a');
    const urgent = await of('a', { priority: 10 });
    const other = await of('b');
    await runIn(client, other.id, ['running']);
    await isBlocked(second, urgent);
    held.releaseOne();
    await runIn(client, urgent.id, ['running']);
    expect(await statuses([first, second, urgent, other])).toEqual([
      'completed',
      'queued',
      'running',
      'running',
    ]);
    held.releaseAll();
    for (const run of [second, urgent, other])
      expect((await endedRun(client, run.id)).status).toBe('completed');
    expect(await blocked()).toEqual([]);
  });

  it('is strict under a flood from many callers, and loses no run', async () => {
    let [atWork, most] = [0, 0];
    handlers.on('sync', (response, nth, call) => {
      if ((JSON.parse(call.body) as { customer: { id: number } }).customer.id === 1) {
        atWork += 1;
        most = Math.max(most, atWork);
        response.on('close', () => (atWork -= 1));
      }
      setImmediate(() => {
        answer(200, {})(response, nth, call);
      });
    });
    await registerJobs(client, { sync: { concurrency: { ...BY_CUSTOMER, limit: 2 } } });
    const runs = await Promise.all(Array.from({ length: 120 }, (_, nth) => of(nth % 3)));
    for (const { id } of runs) expect((await endedRun(client, id)).status).toBe('completed');
    expect(most).toBeLessThanOrEqual(2);
    expect(await blocked()).toEqual([]);
  });

  it('gives the place to the next one whatever ends the run that had it', async () => {
    await registerJobs(client, {
      sync: {
        concurrency: BY_CUSTOMER,
        retries: 1,
        retry_backoff: { type: 'exponential', initial_ms: 3_600_000, max_ms: 3_600_000, multiplier: 1 },
      },
    });
    handlers.on('sync', (response, nth, call) => {
      if (call.body.includes('"fails":true')) answer(500, {})(response, nth, call);
      else held.behaviour(response, nth, call);
    });
    const running = await of('a');
    await runIn(client, running.id, ['running']);
    const retried = await trigger(client, 'sync', { payload: { customer: { id: 'a' }, fails: true } });
    const [cancelled, last] = [await of('a'), await of('a')];
    await isBlocked(retried, cancelled, last);
    await client.post(`/jobs/v1/runs/${cancelled.id}/cancel`, {});
    await client.post(`/jobs/v1/runs/${running.id}/cancel`, {});
    await runIn(client, retried.id, ['retrying']);
    await runIn(client, last.id, ['running']);
    held.releaseAll();
    expect((await endedRun(client, last.id)).status).toBe('completed');
  });

  it('counts delayed runs when they are due, and not while they wait', async () => {
    await registerJobs(client, { sync: { concurrency: BY_CUSTOMER } });
    const later = await of('a', { delay_ms: 3_600_000 });
    const now = await of('a');
    await runIn(client, now.id, ['running']);
    await makeDue(environment.database, [later.id]);
    // Any exchange with a free slot looks at what is due.
    const other = await of('b');
    await runIn(client, other.id, ['running']);
    await isBlocked(later);
    held.releaseAll();
    expect((await endedRun(client, later.id)).status).toBe('completed');
  });

  it('looks behind very many with one value that become due at one instant', async () => {
    await registerJobs(client, { sync: { concurrency: BY_CUSTOMER } });
    const items = Array.from({ length: 1_000 }, () => ({
      payload: { customer: { id: 'a' } },
      delay_ms: 3_600_000,
    }));
    const batch = await client.post<{ runs: RunBody[] }>('/jobs/v1/jobs/sync/trigger/batch', { items });
    expect(batch.status).toBe(202);
    await makeDue(
      environment.database,
      batch.body.runs.map(({ id }) => id),
    );
    const other = await of('b');
    await runIn(client, other.id, ['running']);
    await until(async () => (await blocked()).length === 999);
    const running = await environment.database.query(
      `SELECT FROM runs_active WHERE tenant_id = $1 AND status = 'running'`,
      [tenantId],
    );
    expect(running).toHaveLength(2);
  });

  it('keeps nothing else waiting behind them, whatever else limits the job', async () => {
    await registerJobs(client, { sync: { concurrency: BY_CUSTOMER, max_concurrent_runs: 2 }, other: {} });
    const first = await of('a');
    await runIn(client, first.id, ['running']);
    const items = Array.from({ length: 300 }, () => ({ payload: { customer: { id: 'a' } } }));
    expect((await client.post('/jobs/v1/jobs/sync/trigger/batch', { items })).status).toBe(202);
    expect((await endedRun(client, (await trigger(client, 'other')).id)).status).toBe('completed');
    await runIn(client, (await of('b')).id, ['running']);
  });

  it('ends the newest where the manifest says so, with an error that names the reason', async () => {
    await registerJobs(client, { sync: { concurrency: { ...BY_CUSTOMER, when_full: 'drop_newest' } } });
    const first = await of('a');
    await runIn(client, first.id, ['running']);
    const dropped = await endedRun(client, (await of('a')).id);
    expect(dropped).toMatchObject({
      status: 'cancelled',
      attempts: [],
      error: { code: 'concurrency_limit', message: expect.stringContaining('concurrency key') },
    });
    held.releaseAll();
    expect((await endedRun(client, first.id)).status).toBe('completed');
    expect((await endedRun(client, (await of('a')).id)).status).toBe('completed');
  });

  it('ends the oldest where the manifest says so, and closes its call', async () => {
    await registerJobs(client, { sync: { concurrency: { ...BY_CUSTOMER, when_full: 'cancel_oldest' } } });
    const runs = [await of('a')];
    await runIn(client, runs[0]?.id ?? '', ['running']);
    runs.push(await of('a'), await of('a'), await of('b'));
    const newest = runs[2];
    await runIn(client, newest?.id ?? '', ['running']);
    expect(await statuses(runs.slice(0, 2))).toEqual(['cancelled', 'cancelled']);
    expect((await showRun(client, runs[0]?.id ?? '')).error?.code).toBe('concurrency_limit');
    held.releaseAll();
    for (const run of runs.slice(2)) expect((await endedRun(client, run.id)).status).toBe('completed');
  });

  it('tells values apart as JSON does, long ones too, and takes those without one together', async () => {
    await registerJobs(client, { sync: { concurrency: { ...BY_CUSTOMER, key: '/a~1b/~0c' } } });
    const long = 'x'.repeat(5_000);
    const payloads = [1, '1', null, { x: 1, y: 2 }, `${long}1`, `${long}2`].map((value) => ({
      'a/b': { '~c': value },
    }));
    for (const payload of [...payloads, {}])
      await runIn(client, (await trigger(client, 'sync', { payload })).id, ['running']);
    const waiting = [
      await trigger(client, 'sync', { payload: { 'a/b': { '~c': { y: 2, x: 1.0 } } } }),
      await trigger(client, 'sync', { payload: { 'a/b': { '~c': `${long}1` } } }),
      await trigger(client, 'sync', { payload: { 'a/b': '~c' } }),
      await trigger(client, 'sync', { payload: { 'a/b': [] } }),
    ];
    await isBlocked(...waiting);
  });

  it('counts payloads that only JSON can hold', async () => {
    await registerJobs(client, { sync: { concurrency: BY_CUSTOMER } });
    for (const payload of [
      { customer: { id: 'a' } },
      { customer: { id: 'b' }, note: '\u0000' },
      { customer: { id: 'c\u0000' } },
      { customer: { id: 'c\ud800d' } },
    ])
      await runIn(client, (await trigger(client, 'sync', { payload })).id, ['running']);
    await isBlocked(
      await trigger(client, 'sync', { payload: { customer: { id: 'a' }, note: '\u0000' } }),
      await trigger(client, 'sync', { payload: { customer: { id: 'b' } } }),
      await trigger(client, 'sync', { payload: { customer: { id: 'c\u0000' } } }),
    );
  });

  it('does not write out numbers with large exponents, and takes equal numbers as equal', async () => {
    const keyOf = async (payload: string): Promise<string> => {
      const [row] = await environment.database.query<{ key: string }>(
        `SELECT key_of_payload($1, '/c') AS key`,
        [payload],
      );
      return row?.key ?? '';
    };
    expect(await Promise.all(['1', '1.0', '10e-1'].map((c) => keyOf(`{"c":${c}}`)))).toEqual(['1', '1', '1']);
    expect(await keyOf('{"c":{"a":[1,2.0],"b":1}}')).toBe(await keyOf('{"c":{"b":1.0,"a":[1.0,2]}}'));
    expect(await keyOf('{"c":[1,2]}')).not.toBe(await keyOf('{"c":[2,1]}'));
    const bomb = `[${Array.from({ length: 5_000 }, () => '1e131071').join(',')}]`;
    const hash = createHash('sha256').update(bomb).digest('hex');
    expect(await keyOf(`{"c":${bomb}}`)).toBe(`sha256:${hash}`);
  });

  it.each([
    ['a higher limit', { concurrency: { ...BY_CUSTOMER, limit: 2 } }],
    ['none any more', {}],
  ])('lets those that wait begin when the manifest declares %s', async (_what, fields) => {
    await registerJobs(client, { sync: { concurrency: BY_CUSTOMER } });
    const runs = [await of('a'), await of('a')];
    await isBlocked(...runs.slice(1));
    await registerJobs(client, { sync: fields });
    for (const { id } of runs) await runIn(client, id, ['running']);
  });

  it('is shown as it was declared, and registers again without a change', async () => {
    const manifest = { jobs: [{ id: 'sync', name: 'sync', handler: 'sync', concurrency: BY_CUSTOMER }] };
    await client.post('/jobs/v1/jobs', manifest);
    const { body } = await client.get<{ concurrency: unknown }>('/jobs/v1/jobs/sync');
    expect(body.concurrency).toEqual({ ...BY_CUSTOMER, when_full: 'queue' });
    expect((await client.post<{ jobs: unknown }>('/jobs/v1/jobs', manifest)).body.jobs).toEqual([
      { id: 'sync', change: 'unchanged' },
    ]);
  });

  it.each([
    [{ limit: 1 }, 'key'],
    [{ key: 'customer', limit: 1 }, 'key'],
    [{ key: '/', limit: 1 }, 'key'],
    [{ key: '/a~2', limit: 1 }, 'key'],
    [{ key: `/${'a'.repeat(200)}`, limit: 1 }, 'key'],
    [{ key: '/a' }, 'limit'],
    [{ key: '/a', limit: 0 }, 'limit'],
    [{ key: '/a', limit: 1, when_full: 'wait' }, 'when_full'],
    [{ key: '/a', limit: 1, extra: true }, 'extra'],
  ])('is refused as %j', async (concurrency, path) => {
    const jobs = [{ id: 'sync', name: 'sync', handler: 'sync', concurrency }];
    const { status, body } = await client.post('/jobs/v1/jobs', { jobs });
    expect([status, body]).toMatchObject([
      400,
      { error: { code: 'validation_failed', details: [{ path: `jobs[0].concurrency.${path}` }] } },
    ]);
  });
});

/** No worker is up: what a process left behind is found by a sweep. */
describe('runs without a place that a process left behind', () => {
  it('end with a sweep', async () => {
    const environment = await createEnvironment();
    await environment.deploy('sync', 'export default () => Response.json({})');
    const service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api,scheduler',
      SERVICE_TIMING__RUNS__SWEEP_MS: '50',
    });
    try {
      const { client } = await signUpOwner(service.url);
      await registerJobs(client, { sync: { concurrency: { ...BY_CUSTOMER, when_full: 'drop_newest' } } });
      const run = await trigger(client, 'sync');
      await environment.database.query(`UPDATE runs_active SET blocked = 'concurrency' WHERE id = $1`, [
        run.id,
      ]);
      expect((await endedRun(client, run.id)).error?.code).toBe('concurrency_limit');
    } finally {
      await service.stop();
      await environment.dispose();
    }
  });
});
