import pg from 'pg';
import { RunStats } from '../../../src/jobs/runs/stats/run-stats.js';
import { Retention } from '../../../src/jobs/runs/retention/retention.js';
import { deleteTenant, signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { answer, HandlerServer } from '../../support/handler-server.js';
import { endedRun, registerJobs, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

interface Point {
  at: string;
  accepted: number;
  completed: number;
  failed: number;
  cancelled: number;
  p50_ms: number | null;
  p95_ms: number | null;
  wait_p95_ms: number | null;
}

const COUNTS = ['accepted', 'completed', 'failed', 'cancelled'] as const;

describe('the stats of runs', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let rollUp: RunStats;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    handlers.on('bad', answer(500));
    const variables: Record<string, string> = {
      ...environment.variables,
      ...handlers.variables,
      // The tests roll up.
      SERVICE_TIMING__RUNS__STATS_PENDING_SECS: '3600',
    };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceInProcess.start(variables);
    rollUp = service.application.get(RunStats);
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  async function points(client: Client, query: string): Promise<Point[]> {
    const { status, body } = await client.get<Point[]>(`/jobs/v1/stats?${query}`);
    expect(status).toBe(200);
    return body;
  }

  async function sums(client: Client, query = ''): Promise<number[]> {
    const all = await points(client, query);
    return COUNTS.map((name) => all.reduce((sum, point) => sum + point[name], 0));
  }

  async function pending(): Promise<number> {
    return (
      await environment.database.query(
        'SELECT FROM run_changes WHERE last_line > (SELECT last_line FROM run_stats_progress)',
      )
    ).length;
  }

  /** Completed runs of the job, accepted and ended in one change at `at`; the n-th waited n and took 10 n milliseconds. */
  async function record(
    orgId: string,
    jobId: string,
    count: number,
    at = 'now()',
    endedAt = at,
  ): Promise<void> {
    await environment.database.query(
      `WITH numbers AS MATERIALIZED (
         SELECT n, nextval('run_logs_id_seq') AS queued, nextval('run_logs_id_seq') AS ended FROM generate_series(1, $3::int) n
       ), made AS (
         INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff, max_attempts,
                           attempt, due_at, started_at, completed_at, queued_line, ended_line)
         SELECT 'run_' || ended, $1, $2, 'completed', '{"type":"manual"}', '{}', 'h', 1000, '{}', 1, 1,
                ${endedAt} - 11 * n * interval '1 ms', ${endedAt} - 10 * n * interval '1 ms', ${endedAt}, queued, ended
         FROM numbers RETURNING id
       )
       INSERT INTO run_changes (last_line, first_line, tenant_id, at, run_ids, job_ids, levels)
       SELECT max(ended), min(queued), $1, ${at}, array_agg('run_' || ended), ARRAY[$2], '{info}' FROM numbers`,
      [orgId, jobId, count],
    );
  }

  /** Three runs completed, one failed after a retry, one cancelled while it waited. */
  async function makeRuns(client: Client): Promise<void> {
    await registerJobs(client, {
      good: {},
      bad: { retries: 1, retry_backoff: { type: 'exponential', initial_ms: 1, max_ms: 1, multiplier: 1 } },
    });
    const ids = [];
    for (const job of ['good', 'good', 'good', 'bad']) ids.push((await trigger(client, job)).id);
    const waiting = await trigger(client, 'good', { delay_ms: 3_600_000 });
    for (const id of ids) await endedRun(client, id);
    expect((await client.post(`/jobs/v1/runs/${waiting.id}/cancel`)).status).toBe(200);
  }

  it('count each run once as accepted and once as ended, before and after the roll-up', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    await makeRuns(client);
    const expectAll = async (): Promise<void> => {
      expect(await sums(client)).toEqual([5, 3, 1, 1]);
      expect(await sums(client, 'interval=5m')).toEqual([5, 3, 1, 1]);
      expect(await sums(client, 'interval=1d&job_id=good')).toEqual([4, 3, 0, 1]);
      expect(await sums(client, 'interval=1h&job_id=bad')).toEqual([1, 0, 1, 0]);
      // A day may end meanwhile.
      const today = (await points(client, 'interval=1d')).findLast(({ completed }) => completed > 0);
      expect(today).toMatchObject({
        p50_ms: expect.any(Number) as number,
        p95_ms: expect.any(Number) as number,
        wait_p95_ms: expect.any(Number) as number,
      });
    };
    await expectAll();
    // Of two roll-ups at once, one takes all and the other nothing.
    await Promise.all([rollUp.doSome(), rollUp.doSome()]);
    expect(await pending()).toBe(0);
    await expectAll();
    await makeRuns(client);
    await rollUp.doSome();
    expect(await sums(client)).toEqual([10, 6, 2, 2]);
    const rolledUp = await environment.database.query<{ minutes: number }>(
      `SELECT minutes::int FROM run_stats WHERE tenant_id = $1 AND job_id = '' GROUP BY minutes
       HAVING sum(accepted) = 10 AND sum(completed) = 6 AND sum(failed) = 2 AND sum(cancelled) = 2 ORDER BY minutes`,
      [orgId],
    );
    expect(rolledUp.map(({ minutes }) => minutes)).toEqual([1, 60, 1440]);
  });

  it('give percentiles that are at most 4.5 % off, pending as rolled up', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    await registerJobs(client, { good: {} });
    const expectPercentiles = async (): Promise<void> => {
      const day = (await points(client, 'interval=1d')).findLast(({ completed }) => completed > 0);
      const off = (actual: number | null | undefined, exact: number): number =>
        Math.abs((actual ?? 0) / exact - 1);
      expect(off(day?.p50_ms, 5000)).toBeLessThan(0.045);
      expect(off(day?.p95_ms, 9500)).toBeLessThan(0.045);
      expect(off(day?.wait_p95_ms, 950)).toBeLessThan(0.045);
    };
    await record(orgId, 'good', 1000);
    await expectPercentiles();
    await rollUp.doSome();
    await record(orgId, 'good', 1000);
    await expectPercentiles();
    await rollUp.doSome();
    await expectPercentiles();
  });

  it('are rolled up once they are old enough, also when the clock was set back meanwhile', async () => {
    const { orgId } = await signUpOwner(service.url);
    while ((await pending()) > 0) await rollUp.doSome();
    for (const age of ['-2 hours', '1 hour']) {
      await record(orgId, 'good', 1, `now() + interval '${age}'`);
      await until(async () => (await pending()) === 0);
    }
  });

  it('lose and double nothing when roll-ups are killed at their work', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    // More changes than ten roll-ups take.
    for (let part = 0; part < 50; part += 1)
      await Promise.all(Array.from({ length: 110 }, () => record(orgId, `job-${part}`, 5)));
    const kill = async (): Promise<number> =>
      (
        await environment.database.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND state = 'active' AND query LIKE '%UPDATE run_stats_progress%'
             AND pid <> pg_backend_pid()`,
        )
      ).length;
    const atWork = new Set<Promise<unknown>>();
    const start = (): void => {
      for (let nth = 0; nth < 2; nth += 1) {
        const work = rollUp
          .doSome()
          .catch(() => undefined)
          .finally(() => atWork.delete(work));
        atWork.add(work);
      }
    };
    const holder = new pg.Client({ connectionString: environment.database.url });
    await holder.connect();
    try {
      for (let round = 0; (await pending()) > 0; round += 1) {
        // Roll-ups that cannot go on are at their work until they are killed. Not all of them are, or it would never end.
        const isKilled = round % 3 < 2;
        if (isKilled) await holder.query('BEGIN; LOCK TABLE run_stats IN SHARE MODE');
        start();
        if (isKilled) {
          await until(async () => {
            // The client of one that was killed learns of it before the server releases its lock, and others skip what is locked.
            if (atWork.size === 0) start();
            return (await kill()) > 0;
          });
          await holder.query('ROLLBACK');
        }
        await Promise.all(atWork);
      }
    } finally {
      await holder.end();
    }
    expect(await sums(client)).toEqual([27_500, 27_500, 0, 0]);
    expect(await sums(client, 'interval=1d')).toEqual([27_500, 27_500, 0, 0]);
  });

  it('are kept when their runs are deleted, which wait for the roll-up', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    await record(orgId, 'good', 3, 'now()', `now() - interval '400 days'`);
    const retention = service.application.get(Retention);
    await retention.runOnce();
    expect(await sums(client)).toEqual([3, 3, 0, 0]);
    await until(async () => {
      await rollUp.doSome();
      return (await pending()) === 0;
    });
    await retention.runOnce();
    expect(await environment.database.query('SELECT FROM runs WHERE tenant_id = $1', [orgId])).toEqual([]);
    expect(await sums(client)).toEqual([3, 3, 0, 0]);
  });

  it('have a point for each interval, and at most 1440', async () => {
    const { client } = await signUpOwner(service.url);
    const hour = 'since=2026-03-02T11:59:30Z&until=2026-03-02T12:59:30Z';
    expect(await points(client, `${hour}&interval=1m`)).toHaveLength(61);
    expect((await points(client, `${hour}&interval=1h`)).map(({ at }) => at)).toEqual([
      '2026-03-02T11:00:00.000Z',
      '2026-03-02T12:00:00.000Z',
    ]);
    expect((await points(client, hour))[0]).toEqual({
      at: '2026-03-02T11:59:00.000Z',
      accepted: 0,
      completed: 0,
      failed: 0,
      cancelled: 0,
      p50_ms: null,
      p95_ms: null,
      wait_p95_ms: null,
    });
    for (const query of ['since=2026-03-01T00:00:00Z&until=2026-03-02T00:01:00Z', 'interval=2m', 'job_id='])
      expect((await client.get(`/jobs/v1/stats?${query}`)).status).toBe(400);
    const { body } = await client.get<{ error: { details: unknown } }>(
      '/jobs/v1/stats?since=x&until=1969-12-31T00:00:00Z',
    );
    expect(body.error.details).toEqual([
      { path: 'since', message: 'must be an ISO 8601 instant, such as 2026-01-31T12:00:00Z' },
      { path: 'until', message: 'must be from 1970 to 2999' },
    ]);
  });

  it('of a deleted tenant are deleted', async () => {
    const owner = await signUpOwner(service.url);
    await makeRuns(owner.client);
    await rollUp.doSome();
    const left = async (): Promise<number> =>
      (await environment.database.query('SELECT FROM run_stats WHERE tenant_id = $1', [owner.orgId])).length;
    expect(await left()).toBeGreaterThan(0);
    expect(await deleteTenant(owner)).toBe(204);
    await service.application.get(Retention).runOnce();
    expect(await left()).toBe(0);
  });
});
