import { makeKey } from '../../support/api-keys.js';
import { Client, signUpOwner } from '../../support/client.js';
import type { RunBody } from '../../support/client.js';
import type { TestEnvironment } from '../../support/environment.js';
import { HandlerProgram } from '../../support/handler-program.js';
import { answer } from '../../support/handler-server.js';
import type { HandlerServer } from '../../support/handler-server.js';
import { HeldCalls } from '../../support/held-calls.js';
import { endedRun, registerJobs, runIn, showRun, trigger } from '../../support/runs.js';
import type { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

const HOUR_MS = 3_600_000;

describe('the debounce of a job', () => {
  let program: HandlerProgram;
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let client: Client;
  let tenantId: string;
  let slug: string;
  let payloads: unknown[];

  beforeAll(async () => {
    program = await HandlerProgram.start();
    ({ environment, handlers, service } = program);
  });

  afterAll(async () => {
    await program.stop();
  });

  beforeEach(async () => {
    ({ client, orgId: tenantId, slug } = await signUpOwner(service.url));
    payloads = [];
    handlers.on('index', (response, nth, call) => {
      payloads.push(JSON.parse(call.body));
      answer(200, {})(response, nth, call);
    });
  });

  afterEach(async () => {
    expect(
      await environment.database.query('SELECT FROM tenant_queues_with_wrong_counts WHERE tenant_id = $1', [
        tenantId,
      ]),
    ).toEqual([]);
  });

  async function register(job: Record<string, unknown>): Promise<void> {
    await registerJobs(client, { index: job });
  }

  async function of(page: unknown, more: Record<string, unknown> = {}): Promise<RunBody> {
    return await trigger(client, 'index', { payload: { page }, ...more });
  }

  /** As though the waiting runs had been triggered so much earlier. */
  async function pass(ms: number): Promise<void> {
    await environment.database.query(
      `UPDATE runs_active SET due_at = due_at - by, created_at = created_at - by
       FROM make_interval(secs => $2::float8 / 1000) AS by WHERE tenant_id = $1`,
      [tenantId, ms],
    );
    await environment.database.query('SELECT recount_runs($1)', [tenantId]);
  }

  async function waitMs(runId: string): Promise<number | undefined> {
    const [row] = await environment.database.query<{ ms: number }>(
      'SELECT (extract(epoch FROM due_at - created_at) * 1000)::float8 AS ms FROM runs_active WHERE id = $1',
      [runId],
    );
    return row?.ms;
  }

  it('makes triggers that follow each other one run, which has the payload of the last and begins by itself', async () => {
    await register({ debounce: { period_ms: HOUR_MS } });
    const runs = [];
    for (const version of [1, 2, 3]) runs.push(await trigger(client, 'index', { payload: { version } }));
    await register({ debounce: { period_ms: 100 } });
    runs.push(await trigger(client, 'index', { payload: { version: 4 } }));
    const [first] = runs as [RunBody];
    expect(new Set(runs.map(({ id }) => id))).toEqual(new Set([first.id]));
    expect(await endedRun(client, first.id)).toMatchObject({ status: 'completed', payload: { version: 4 } });
    expect(payloads).toEqual([{ version: 4 }]);
  });

  it('makes one run of what many trigger at once, and of the items of a batch', async () => {
    await register({ debounce: { period_ms: HOUR_MS } });
    const runs = await Promise.all(Array.from({ length: 40 }, (_, page) => of(page)));
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
    const items = [{ payload: { page: 'a' } }, { payload: { page: 'b', text: 'longer' } }];
    const { body } = await client.post<{ runs: RunBody[] }>('/jobs/v1/jobs/index/trigger/batch', { items });
    expect(body.runs.map(({ id }) => id)).toEqual([runs[0]?.id, runs[0]?.id]);
    expect(await showRun(client, runs[0]?.id ?? '')).toMatchObject({ payload: { page: 'b' } });
    const [{ count } = { count: 0 }] = await environment.database.query<{ count: number }>(
      'SELECT count(*)::int FROM runs WHERE tenant_id = $1',
      [tenantId],
    );
    expect(count).toBe(1);
  });

  it('makes one run of a batch alone, that of its first item with the payload of the last', async () => {
    await register({ debounce: { period_ms: HOUR_MS, key: '/page' } });
    const items = ['a', 'b', 'a'].map((page, nth) => ({ payload: { page, nth } }));
    const { body } = await client.post<{ runs: RunBody[] }>('/jobs/v1/jobs/index/trigger/batch', { items });
    const [a, b, again] = body.runs as [RunBody, RunBody, RunBody];
    expect([a.id === again.id, a.id === b.id]).toEqual([true, false]);
    expect(await showRun(client, a.id)).toMatchObject({ payload: { page: 'a', nth: 2 } });
  });

  it('goes by the value of its key', async () => {
    await register({ debounce: { period_ms: HOUR_MS, key: '/page' } });
    const [a, b] = [await of('a'), await of('b')];
    expect([(await of('a')).id, (await of('b')).id]).toEqual([a.id, b.id]);
    expect(a.id).not.toBe(b.id);
  });

  it('waits anew after each trigger, but not longer after the first one than its maximum', async () => {
    await register({ debounce: { period_ms: HOUR_MS, max_ms: 2.5 * HOUR_MS } });
    const run = await of('a');
    expect(await waitMs(run.id)).toBe(HOUR_MS);
    await pass(0.9 * HOUR_MS);
    await of('b');
    expect(Math.round(((await waitMs(run.id)) ?? 0) / HOUR_MS / 0.1) / 10).toBe(1.9);
    await pass(0.9 * HOUR_MS);
    expect((await of('c')).id).toBe(run.id);
    expect(await waitMs(run.id)).toBe(2.5 * HOUR_MS);
    await pass(HOUR_MS);
    // It is due, and what comes before it begins is still part of it.
    expect((await of('d')).id).toBe(run.id);
    expect(await endedRun(client, run.id)).toMatchObject({ status: 'completed', payload: { page: 'd' } });
  });

  it('goes on after the clock was set back', async () => {
    await register({ debounce: { period_ms: HOUR_MS } });
    const { id } = await of(1);
    await pass(-HOUR_MS);
    expect((await of(2)).id).toBe(id);
    expect(await waitMs(id)).toBeLessThanOrEqual(HOUR_MS);
    await pass(2 * HOUR_MS);
    expect((await endedRun(client, id)).payload).toEqual({ page: 2 });
  });

  it('is over once the run begins: the next trigger is another run', async () => {
    await register({ debounce: { period_ms: 1 } });
    const first = await of('a');
    await endedRun(client, first.id);
    const second = await of('b');
    expect(second.id).not.toBe(first.id);
    await endedRun(client, second.id);
    expect(payloads).toMatchObject([{ page: 'a' }, { page: 'b' }]);
  });

  it('leaves alone what has a time of its own, and what repeats a run', async () => {
    await register({ debounce: { period_ms: HOUR_MS } });
    const waiting = await of('a');
    const delayed = await of('b', { delay_ms: HOUR_MS });
    expect(delayed.id).not.toBe(waiting.id);
    await client.post(`/jobs/v1/runs/${waiting.id}/cancel`, {});
    const { body: repeat } = await client.post<RunBody>(`/jobs/v1/runs/${waiting.id}/retry`, {});
    expect((await endedRun(client, repeat.id)).status).toBe('completed');
    expect(await showRun(client, delayed.id)).toMatchObject({ status: 'queued', payload: { page: 'b' } });
  });

  it('answers a repeated request with the run that it joined, and leaves this as it has become', async () => {
    await register({ debounce: { period_ms: HOUR_MS } });
    const first = await of('a');
    const keyed = client.with({ 'Idempotency-Key': 'k' });
    const body = { payload: { page: 'b' } };
    const joined = await trigger(keyed, 'index', body);
    await of('c');
    const repeated = await trigger(keyed, 'index', body);
    expect([joined.id, repeated.id]).toEqual([first.id, first.id]);
    expect(await showRun(client, first.id)).toMatchObject({ payload: { page: 'c' } });
  });

  it('gives each caller a run of their own where runs act as their caller', async () => {
    await register({ acts_as: 'caller', debounce: { period_ms: HOUR_MS } });
    const { key } = await makeKey(client, slug, ['jobs:jobs:trigger']);
    const other = new Client(service.url).as(key);
    const own = await of('a');
    const theirs = await trigger(other, 'index', { payload: { page: 'b' } });
    expect(theirs.id).not.toBe(own.id);
    expect((await of('c')).id).toBe(own.id);
    expect((await trigger(other, 'index', { payload: { page: 'd' } })).id).toBe(theirs.id);
  });

  it('makes the run what the job is at the last trigger', async () => {
    handlers.on('other', answer(200, { by: 'other' }));
    await register({ debounce: { period_ms: HOUR_MS } });
    const run = await of('a');
    await register({ handler: 'other', priority: 7, debounce: { period_ms: 1 } });
    await of('b');
    expect(await endedRun(client, run.id)).toMatchObject({ priority: 7, result: { by: 'other' } });
  });

  it('looks again at a run that was blocked before its payload was replaced', async () => {
    await register({
      debounce: { period_ms: 1, max_ms: 1, key: '/same' },
      rate: { limit: 1, per_ms: HOUR_MS, key: '/page' },
    });
    const first = await of('a');
    await endedRun(client, first.id);
    const blocked = await of('a');
    await until(
      async () =>
        (
          await environment.database.query(`SELECT FROM runs_active WHERE id = $1 AND blocked = 'rate'`, [
            blocked.id,
          ])
        ).length === 1,
    );
    expect((await of('b')).id).toBe(blocked.id);
    expect((await endedRun(client, blocked.id)).status).toBe('completed');
  });

  it('passes a place under the concurrency on that the run would have had', async () => {
    const held = new HeldCalls();
    handlers.on('index', held.behaviour);
    await register({
      debounce: { period_ms: 1, key: '/page' },
      concurrency: { key: '/site', limit: 1 },
      max_concurrent_runs: 1,
    });
    const at = async (page: string, site: string): Promise<RunBody> =>
      await trigger(client, 'index', { payload: { page, site } });
    const running = await at('a', 's');
    await runIn(client, running.id, ['running']);
    const [next, last] = [await at('b', 's'), await at('c', 's')];
    // The end of an earlier one has told the next that it is its turn, and the last not yet.
    const { database } = environment;
    await database.query(`UPDATE runs_active SET blocked = 'concurrency' WHERE id = $1`, [last.id]);
    expect((await at('b', 'elsewhere')).id).toBe(next.id);
    expect(await database.query('SELECT blocked FROM runs_active WHERE id = $1', [last.id])).toEqual([
      { blocked: null },
    ]);
    held.releaseAll();
    for (const { id } of [running, next, last]) expect((await endedRun(client, id)).status).toBe('completed');
  });

  it('keeps its turn after its maximum, and has its time to start anew', async () => {
    const held = new HeldCalls();
    handlers.on('index', held.behaviour);
    await register({
      debounce: { period_ms: 1000, max_ms: 1000, key: '/page' },
      start_within_ms: HOUR_MS,
      max_concurrent_runs: 1,
    });
    const running = await of('a');
    await runIn(client, running.id, ['running']);
    const waiting = await of('b');
    await pass(10 * HOUR_MS);
    expect((await of('b')).id).toBe(waiting.id);
    const [{ overdue, in_time: inTime } = { overdue: false, in_time: false }] =
      await environment.database.query<{
        overdue: boolean;
        in_time: boolean;
      }>(
        `SELECT due_at < now() - interval '9 h' AS overdue, start_before > now() + interval '50 min' AS in_time
       FROM runs_active WHERE id = $1`,
        [waiting.id],
      );
    expect([overdue, inTime]).toEqual([true, true]);
    held.releaseAll();
    expect((await endedRun(client, waiting.id)).status).toBe('completed');
  });

  it('goes by the user where users trigger the job, and by nothing else that a trigger says', async () => {
    await register({ debounce: { period_ms: 1 } });
    const keyOf = async (set: object): Promise<string | undefined> => {
      const [row] = await environment.database.query<{ key: string }>(
        `SELECT debounce_key_of(open, $2, '{}') AS key FROM jobs
           CROSS JOIN LATERAL (SELECT jsonb_populate_record(jobs, '{"invocable_by":"authenticated"}') AS open) opened
         WHERE tenant_id = $1`,
        [tenantId, JSON.stringify(set)],
      );
      return row?.key;
    };
    const hook = { type: 'webhook', path: '/hooks/a', method: 'POST' };
    const one = await keyOf({ ...hook, headers: { 'x-id': '1' } });
    expect(await keyOf({ ...hook, headers: { 'x-id': 'x'.repeat(8000) } })).toBe(one);
    const [ada, ben] = ['ada', 'ben'].map((user_id) => keyOf({ type: 'manual', user_id }));
    expect(await ada).not.toBe(await ben);
    expect(await ada).not.toBe(one);
  });

  it('does not let a run expire for which a trigger came just in time', async () => {
    await register({ debounce: { period_ms: HOUR_MS }, start_within_ms: HOUR_MS });
    const run = await of('a');
    const expire = async (): Promise<string[]> => {
      const ends = [
        {
          tenant_id: tenantId,
          id: run.id,
          status: 'cancelled',
          outcome: 'cancelled',
          failures: 0,
          losses: 0,
        },
      ].map((end) => ({ ...end, error_code: 'expired', if_late: true }));
      const rows = await environment.database.query<{ kind: string }>(
        'SELECT kind FROM exchange_runs_1(NULL, 10, NULL, NULL, 1000, 0, false, $1)',
        [JSON.stringify({ tenants: [{ tenant_id: tenantId, slots: 0 }], ends })],
      );
      return rows.map(({ kind }) => kind);
    };
    expect(await expire()).toEqual(['tenant']);
    await environment.database.query('UPDATE runs_active SET start_before = now() WHERE id = $1', [run.id]);
    expect(await expire()).toEqual(['ended', 'tenant']);
  });

  it('ends with its job', async () => {
    await register({ debounce: { period_ms: HOUR_MS } });
    const run = await of('a');
    await client.send('DELETE', '/jobs/v1/jobs/index');
    expect((await runIn(client, run.id, ['cancelled'])).status).toBe('cancelled');
    await register({ debounce: { period_ms: HOUR_MS } });
    expect((await of('b')).id).not.toBe(run.id);
  });

  it('is part of the job as declared', async () => {
    const debounce = { period_ms: 5000, max_ms: 60_000, key: '/page' };
    await register({ debounce });
    expect((await client.get('/jobs/v1/jobs/index')).body).toMatchObject({ debounce });
  });

  it.each([
    ['period_ms', { period_ms: 0 }],
    ['period_ms', { period_ms: 86_400_001 }],
    ['max_ms', { period_ms: 1, max_ms: 604_800_001 }],
    ['key', { period_ms: 1, key: 'page' }],
  ])('is refused with the place of the mistake: %s', async (path, debounce) => {
    const { status, body } = await client.post('/jobs/v1/jobs', {
      jobs: [{ id: 'index', name: 'Index', handler: 'index', debounce }],
    });
    expect([status, body]).toMatchObject([
      400,
      { error: { code: 'validation_failed', details: [{ path: `jobs[0].debounce.${path}` }] } },
    ]);
  });
});
