import { RunSweeper } from '../../../src/jobs/runs/recovery/run-sweeper.js';
import { Retention } from '../../../src/jobs/runs/retention/retention.js';
import { signUpOwner } from '../../support/client.js';
import type { Client, RunBody } from '../../support/client.js';
import type { TestEnvironment } from '../../support/environment.js';
import { HandlerProgram } from '../../support/handler-program.js';
import { answer } from '../../support/handler-server.js';
import type { HandlerServer } from '../../support/handler-server.js';
import { HeldCalls } from '../../support/held-calls.js';
import { endedRun, registerJobs, runIn, showRun, trigger } from '../../support/runs.js';
import type { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

const HOUR_MS = 3_600_000;

describe('the rate of a job', () => {
  let program: HandlerProgram;
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let client: Client;
  let tenantId: string;

  beforeAll(async () => {
    program = await HandlerProgram.start({ SERVICE_JOBS__WORKER_COUNT: '50' });
    ({ environment, handlers, service } = program);
  });

  afterAll(async () => {
    await program.stop();
  });

  beforeEach(async () => {
    ({ client, orgId: tenantId } = await signUpOwner(service.url));
    handlers.on('notify', answer(200, {}));
  });

  afterEach(async () => {
    expect(await environment.database.query('TABLE tenant_queues_with_wrong_counts')).toEqual([]);
  });

  async function register(job: Record<string, unknown>): Promise<void> {
    await registerJobs(client, { notify: job });
  }

  async function of(customer: unknown, more: Record<string, unknown> = {}): Promise<RunBody> {
    return await trigger(client, 'notify', { payload: { customer }, ...more });
  }

  async function triggered(count: number): Promise<RunBody[]> {
    const runs: RunBody[] = [];
    while (runs.length < count) runs.push(await of('a'));
    return runs;
  }

  async function completed(...runs: RunBody[]): Promise<void> {
    for (const { id } of runs) expect((await endedRun(client, id)).status).toBe('completed');
  }

  async function blockedBy(limit: 'rate' | 'concurrency'): Promise<string[]> {
    const rows = await environment.database.query<{ id: string }>(
      'SELECT id FROM runs_active WHERE tenant_id = $1 AND blocked = $2 ORDER BY id',
      [tenantId, limit],
    );
    return rows.map(({ id }) => id);
  }

  async function waitForRate(...runs: RunBody[]): Promise<void> {
    const ids = runs.map(({ id }) => id).sort();
    await until(async () => JSON.stringify(await blockedBy('rate')) === JSON.stringify(ids));
  }

  /** As though the clock had been set on by so much since the attempts began. */
  async function setClockOn(ms: number): Promise<void> {
    await environment.database.query(
      `UPDATE run_rates SET starts = ARRAY(SELECT start - by FROM unnest(starts) AS start), free_at = free_at - by
       FROM make_interval(secs => $2::float8 / 1000) AS by WHERE tenant_id = $1`,
      [tenantId, ms],
    );
  }

  /** That long and long enough for a sweep to wake the workers: the wake-up that there is is for the true time. */
  async function pass(ms: number): Promise<void> {
    await setClockOn(ms + 60_000);
    await service.application.get(RunSweeper).runOnce();
  }

  /** The most attempts that began within this time. */
  async function mostWithin(ms: number): Promise<number | undefined> {
    const [row] = await environment.database.query<{ most: number }>(
      `SELECT max(within)::int AS most FROM (
         SELECT count(*) OVER (ORDER BY attempt.started_at RANGE BETWEEN CURRENT ROW AND make_interval(secs => ($2::float8 - 0.001) / 1000) FOLLOWING)
           AS within
         FROM attempts_of_runs attempt JOIN runs ON runs.id = run_id WHERE tenant_id = $1
       ) counted`,
      [tenantId, ms],
    );
    return row?.most;
  }

  it('lets as many attempts begin as its limit, and more once the first of these were long enough ago', async () => {
    await register({ rate: { limit: 2, per_ms: HOUR_MS } });
    const [first, second, third, fourth, fifth] = (await triggered(5)) as [
      RunBody,
      RunBody,
      RunBody,
      RunBody,
      RunBody,
    ];
    await completed(first, second);
    await waitForRate(third, fourth, fifth);
    expect(await showRun(client, third.id)).toMatchObject({ status: 'queued', attempts: [] });
    await pass(HOUR_MS);
    await completed(third, fourth);
    await waitForRate(fifth);
    await pass(HOUR_MS);
    await completed(fifth);
  });

  it('is strict under a flood, wakes the workers by itself, and loses no run', async () => {
    await register({ rate: { limit: 5, per_ms: 100 }, retries: 1 });
    const runs = await Promise.all(Array.from({ length: 60 }, () => of('a')));
    await completed(...runs);
    expect(await mostWithin(100)).toBe(5);
    await waitForRate();
  });

  it('counts by the value of its key, and what has none together', async () => {
    await register({ rate: { limit: 1, per_ms: HOUR_MS, key: '/customer' } });
    const [a, b] = [await of('a'), await of('b')];
    const [none, another] = [await trigger(client, 'notify'), await of(undefined)];
    const [moreOfA, moreOfB] = [await of('a'), await of('b')];
    await completed(a, b, none);
    await waitForRate(another, moreOfA, moreOfB);
    await pass(HOUR_MS);
    await completed(another, moreOfA, moreOfB);
  });

  it('counts each attempt, also of runs that are repeated', async () => {
    await register({
      rate: { limit: 1, per_ms: HOUR_MS },
      retries: 1,
      retry_backoff: { type: 'exponential', initial_ms: 1, max_ms: 1, multiplier: 1 },
    });
    handlers.on('notify', (response, nth, call) => {
      answer(nth === 1 ? 500 : 200, {})(response, nth, call);
    });
    const run = await of('a');
    await waitForRate(run);
    expect((await showRun(client, run.id)).status).toBe('retrying');
    await pass(HOUR_MS);
    expect(await endedRun(client, run.id)).toMatchObject({ status: 'completed', attempt: 2 });
  });

  it('counts what began before the clock was set on and back', async () => {
    await register({ rate: { limit: 2, per_ms: HOUR_MS } });
    await completed(await of('a'));
    await setClockOn(2 * HOUR_MS);
    await completed(await of('a'));
    await setClockOn(-2 * HOUR_MS);
    const third = await of('a');
    await waitForRate(third);
  });

  it('counts what began while its limit was higher, once it is higher again', async () => {
    const high = { rate: { limit: 3, per_ms: HOUR_MS } };
    await register(high);
    await completed(await of('a'), await of('a'), await of('a'));
    await register({ rate: { limit: 1, per_ms: HOUR_MS } });
    const fourth = await of('a');
    await waitForRate(fourth);
    await register(high);
    const fifth = await of('a');
    await waitForRate(fourth, fifth);
    await pass(HOUR_MS);
    await completed(fourth, fifth);
  });

  it('gives a place as soon as one is free after the clock was set back', async () => {
    await register({ rate: { limit: 2, per_ms: HOUR_MS } });
    await completed(await of('a'));
    await setClockOn(-HOUR_MS);
    const [second, third] = [await of('a'), await of('a')];
    await completed(second);
    await waitForRate(third);
    const [row] = await environment.database.query<{ isSoon: boolean }>(
      `SELECT free_at < now() + interval '61 min' AS "isSoon" FROM run_rates WHERE tenant_id = $1`,
      [tenantId],
    );
    expect(row).toEqual({ isSoon: true });
  });

  it('keeps no other job waiting by its values, however many, while it has no room for their runs', async () => {
    const rate = { limit: 1, per_ms: HOUR_MS, key: '/customer' };
    await registerJobs(client, { crowd: { rate, max_concurrent_runs: 1 }, other: { rate } });
    handlers.on('crowd', answer(200, {}));
    handlers.on('other', answer(200, {}));
    const batch = async (): Promise<void> => {
      const items = Array.from({ length: 101 }, (_, customer) => ({ payload: { customer } }));
      expect((await client.post('/jobs/v1/jobs/crowd/trigger/batch', { items })).status).toBe(202);
    };
    await batch();
    await batch();
    const [one, another] = [await trigger(client, 'other'), await trigger(client, 'other')];
    await completed(one);
    await until(async () => (await blockedBy('rate')).length === 102);
    const held = new HeldCalls();
    handlers.on('crowd', held.behaviour);
    await trigger(client, 'crowd', { payload: { customer: 'held' } });
    await until(() => held.count === 1);
    await pass(HOUR_MS);
    await completed(another);
    held.releaseAll();
  });

  it('keeps no other job from running, and gives places by priority and then by time', async () => {
    await registerJobs(client, { notify: { rate: { limit: 1, per_ms: HOUR_MS } }, other: {} });
    handlers.on('other', answer(200, {}));
    const first = await of('a');
    const [second, third] = [await of('a'), await of('a')];
    const urgent = await of('a', { priority: 10 });
    await completed(first);
    await waitForRate(second, third, urgent);
    await completed(await trigger(client, 'other', { priority: -10 }));
    for (const next of [urgent, second, third]) {
      await pass(HOUR_MS);
      await completed(next);
    }
  });

  it('leaves its places to others while a run waits for one under the concurrency of the job', async () => {
    const held = new HeldCalls();
    handlers.on('notify', held.behaviour);
    await register({
      rate: { limit: 2, per_ms: HOUR_MS },
      concurrency: { key: '/customer', limit: 1 },
    });
    const running = await of('a');
    await runIn(client, running.id, ['running']);
    const crowded = await of('a');
    const other = await of('b');
    await runIn(client, other.id, ['running']);
    const last = await of('c');
    await waitForRate(last);
    await pass(HOUR_MS);
    await runIn(client, last.id, ['running']);
    expect((await showRun(client, crowded.id)).status).toBe('queued');
    held.releaseAll();
    await completed(running, other, last, crowded);
  });

  it('keeps no place under the concurrency of the job for a run that waits for the rate', async () => {
    const held = new HeldCalls();
    handlers.on('notify', held.behaviour);
    await register({
      rate: { limit: 1, per_ms: HOUR_MS, key: '/sender' },
      concurrency: { key: '/customer', limit: 1 },
    });
    const from = async (sender: string): Promise<RunBody> =>
      await trigger(client, 'notify', { payload: { customer: 'a', sender } });
    const running = await from('x');
    await runIn(client, running.id, ['running']);
    const [sameSender, other, another] = [await from('x'), await from('y'), await from('z')];
    await until(async () => (await blockedBy('concurrency')).length === 2);
    await waitForRate(sameSender);
    for (const next of [running, other, another]) {
      await runIn(client, next.id, ['running']);
      held.releaseOne();
      await completed(next);
    }
    await waitForRate(sameSender);
  });

  it('leaves no place to what is cancelled, and none to what comes too late', async () => {
    await register({ rate: { limit: 1, per_ms: HOUR_MS } });
    const [first, cancelled] = [await of('a'), await of('a')];
    await completed(first);
    await register({ rate: { limit: 1, per_ms: HOUR_MS }, start_within_ms: HOUR_MS });
    const late = await of('a');
    await register({ rate: { limit: 1, per_ms: HOUR_MS } });
    const last = await of('a');
    await waitForRate(cancelled, late, last);
    await client.post(`/jobs/v1/runs/${cancelled.id}/cancel`, {});
    await environment.database.query(
      `UPDATE runs_active SET start_before = now() - interval '1 s' WHERE id = $1`,
      [late.id],
    );
    await pass(HOUR_MS);
    await completed(last);
    expect(await endedRun(client, late.id)).toMatchObject({
      status: 'cancelled',
      error: { code: 'expired' },
    });
  });

  it.each([
    ['a higher limit', { limit: 3, per_ms: HOUR_MS }],
    ['a shorter time', { limit: 1, per_ms: 1 }],
    ['no rate', undefined],
  ])('is changed at once: %s lets those begin that wait', async (_change, rate) => {
    await register({ rate: { limit: 1, per_ms: HOUR_MS } });
    const [first, second, third] = (await triggered(3)) as [RunBody, RunBody, RunBody];
    await completed(first);
    await waitForRate(second, third);
    await register({ rate });
    await completed(second, third);
  });

  it('goes on over the deletion of its job', async () => {
    await register({ rate: { limit: 1, per_ms: HOUR_MS } });
    const [first, deleted] = [await of('a'), await of('a')];
    await completed(first);
    await waitForRate(deleted);
    await client.send('DELETE', '/jobs/v1/jobs/notify');
    expect((await endedRun(client, deleted.id)).status).toBe('cancelled');
    expect(
      await environment.database.query('SELECT FROM run_rates WHERE tenant_id = $1 AND free_at IS NOT NULL', [
        tenantId,
      ]),
    ).toEqual([]);
    await register({ rate: { limit: 1, per_ms: HOUR_MS } });
    const again = await of('a');
    await waitForRate(again);
    await pass(HOUR_MS);
    await completed(again);
  });

  it('is forgotten a day later, but not while runs wait for it', async () => {
    await register({ rate: { limit: 1, per_ms: HOUR_MS, key: '/customer' } });
    const [a, b, another] = [await of('a'), await of('b'), await of('b')];
    await completed(a, b);
    await waitForRate(another);
    await environment.database.query(
      `UPDATE run_rates SET starts = ARRAY[now() - interval '25 h'] WHERE tenant_id = $1`,
      [tenantId],
    );
    await service.application.get(Retention).runOnce();
    expect(
      await environment.database.query('SELECT key FROM run_rates WHERE tenant_id = $1', [tenantId]),
    ).toEqual([{ key: '"b"' }]);
    await pass(HOUR_MS);
    await completed(another);
  });

  it('is part of the job as declared', async () => {
    const rate = { limit: 10, per_ms: 1000, key: '/customer' };
    await register({ rate });
    expect((await client.get('/jobs/v1/jobs/notify')).body).toMatchObject({ rate });
  });

  it.each([
    ['limit', { limit: 0, per_ms: 1000 }],
    ['limit', { limit: 1001, per_ms: 1000 }],
    ['per_ms', { limit: 1, per_ms: 0 }],
    ['per_ms', { limit: 1, per_ms: 86_400_001 }],
    ['per_ms', { limit: 1 }],
    ['key', { limit: 1, per_ms: 1000, key: 'customer' }],
  ])('is refused with the place of the mistake: %s', async (path, rate) => {
    const { status, body } = await client.post('/jobs/v1/jobs', {
      jobs: [{ id: 'notify', name: 'Notify', handler: 'notify', rate }],
    });
    expect([status, body]).toMatchObject([
      400,
      { error: { code: 'validation_failed', details: [{ path: `jobs[0].rate.${path}` }] } },
    ]);
  });
});
