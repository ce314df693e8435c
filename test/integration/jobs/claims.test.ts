import { randomInt, randomUUID } from 'node:crypto';
import pg from 'pg';
import type { TenantId } from '../../../src/http/index.js';
import type { TenantExchange, TenantExchanged } from '../../../src/jobs/runs/exchange/exchange.js';
import { ExchangeRepository } from '../../../src/jobs/runs/exchange/exchange.repository.js';
import type { AttemptEnd } from '../../../src/jobs/runs/model/attempt-end.js';
import { newRunId } from '../../../src/jobs/runs/model/run-id.js';
import type { ClaimedRun, NewRun } from '../../../src/jobs/runs/model/run.js';
import { Database } from '../../../src/platform/database/index.js';
import { signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { registerJobs, trigger, triggerMany } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

const CAP = 5;
const WORKER = randomUUID();

function completed({ id, tenantId, fence }: ClaimedRun): AttemptEnd {
  const nothing = { statusCode: 200, errorCode: null, errorMessage: null, result: null, delayMs: 0 };
  return {
    runId: id,
    tenantId,
    fence,
    event: 'succeeded',
    outcome: 'completed',
    countsAsFailure: false,
    ...nothing,
  };
}

interface Counts {
  readonly running: number;
  readonly queued: number;
  readonly retrying: number;
}

/** No worker runs beside these tests: they are the workers. */
describe('exchanges of runs', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let database: Database;
  let exchanges: ExchangeRepository;

  beforeAll(async () => {
    environment = await createEnvironment();
    await environment.deploy('echo', 'export default () => Response.json({})');
    service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      SERVICE_JOBS__MAX_ORG_CONCURRENT_RUNS: String(CAP),
    });
    database = service.application.get(Database);
    exchanges = service.application.get(ExchangeRepository);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  async function tenant(
    limits: Readonly<Record<string, number | null>>,
  ): Promise<{ client: Client; id: TenantId }> {
    const { client, orgId } = await signUpOwner(service.url);
    const fieldsOf = (limit: number | null): Record<string, unknown> =>
      limit === null ? { handler: 'echo' } : { handler: 'echo', max_concurrent_runs: limit };
    await registerJobs(
      client,
      Object.fromEntries(Object.entries(limits).map(([id, limit]) => [id, fieldsOf(limit)])),
    );
    return { client, id: orgId as TenantId };
  }

  async function exchange(
    tenantId: TenantId,
    work: Omit<TenantExchange, 'tenantId'>,
  ): Promise<TenantExchanged> {
    const found = await exchanges.exchange(database.autoCommit, WORKER, [{ tenantId, ...work }]);
    const own = found.get(tenantId);
    if (own === undefined) throw new Error('the tenant has no queue');
    return own;
  }

  async function claim(tenantId: TenantId, slots = 100): Promise<readonly ClaimedRun[]> {
    return (await exchange(tenantId, { slots })).claimed;
  }

  async function finish(runs: readonly ClaimedRun[]): Promise<void> {
    for (const run of runs) {
      const { ends } = await exchange(run.tenantId, { ends: [completed(run)] });
      expect(ends.map(({ id }) => id)).toEqual([run.id]);
    }
  }

  /** What the queue of a tenant says, which the runs must say too. */
  async function counts(tenantId: string): Promise<Counts> {
    const [row] = await environment.database.query<{ counted: Counts; actual: Counts }>(
      `SELECT (SELECT jsonb_build_object('running', running, 'queued', queued, 'retrying', retrying) FROM tenant_queues
               WHERE tenant_id = $1) AS counted,
              jsonb_build_object(
                'running', count(*) FILTER (WHERE status = 'running'), 'queued', count(*) FILTER (WHERE status = 'queued'),
                'retrying', count(*) FILTER (WHERE status = 'retrying')) AS actual
       FROM runs WHERE tenant_id = $1`,
      [tenantId],
    );
    expect(row?.counted).toEqual(row?.actual);
    const wrong = 'SELECT FROM tenant_queues_with_wrong_counts WHERE tenant_id = $1';
    expect(await environment.database.query(wrong, [tenantId])).toEqual([]);
    return row?.counted ?? { running: -1, queued: -1, retrying: -1 };
  }

  function newRun(tenantId: TenantId, jobId: string, delayMs = 0): NewRun {
    const fields = {
      priority: null,
      runAt: null,
      scheduledFor: null,
      retryOf: null,
      traceParent: null,
      delayMs,
    };
    const payload = '{"a": 1}';
    return {
      id: newRunId(),
      tenantId,
      jobId,
      trigger: { type: 'manual', key_id: randomUUID() },
      payload,
      ...fields,
    };
  }

  /** Adds 5,000 waiting runs that are due at once, and that the counts do not know. */
  async function addRuns(
    tenantId: TenantId,
    { prefix, job, priority = 0, due }: { prefix: string; job: string; priority?: number; due: string },
  ): Promise<void> {
    await environment.database.query(
      `INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff,
                         max_attempts, priority, due_at)
       SELECT $2 || n, $1, $3, 'queued', '{"type": "manual"}', '{}', 'echo', 1000, '{}', 1, $4, now() + $5::interval
       FROM generate_series(1, 5000) n`,
      [tenantId, prefix, job, priority, due],
    );
  }

  const jobsOf = (runs: readonly ClaimedRun[]): string[] => runs.map(({ jobId }) => jobId);

  it('give the slots of job and tenant to the runs that have been due longest, and leave the others waiting', async () => {
    const { client, id } = await tenant({ narrow: 2, wide: null });
    const narrow = [];
    for (let count = 0; count < 4; count += 1) narrow.push((await trigger(client, 'narrow')).id);
    const wide = [];
    for (let count = 0; count < 5; count += 1) wide.push((await trigger(client, 'wide')).id);
    const claimed = await claim(id);
    expect(claimed.map((run) => run.id)).toEqual([...narrow.slice(0, 2), ...wide.slice(0, 3)]);
    expect(await counts(id)).toEqual({ running: CAP, queued: 4, retrying: 0 });
    expect(await claim(id)).toEqual([]);
  });

  it('claim no more runs than there are slots, and none that is not due', async () => {
    const { client, id } = await tenant({ wide: null });
    await triggerMany(client, 'wide', 3);
    await trigger(client, 'wide', { delay_ms: 3_600_000 });
    expect(await claim(id, 2)).toHaveLength(2);
    expect(await claim(id)).toHaveLength(1);
    expect(await claim(id)).toEqual([]);
    expect(await counts(id)).toEqual({ running: 3, queued: 1, retrying: 0 });
  });

  it('find the next runs without reading all that wait, although the statistics say that few do', async () => {
    const { id } = await tenant({ wide: null, narrow: 1 });
    await environment.database.query('ANALYZE runs');
    // Runs of a full job, and runs of a high priority that are not due, are not in the way.
    await addRuns(id, { prefix: 'run_00', job: 'narrow', priority: 50, due: '-1 hour' });
    await addRuns(id, { prefix: 'run_01', job: 'wide', priority: 100, due: '1 hour' });
    await addRuns(id, { prefix: 'run_02', job: 'wide', due: '-1 minute' });
    const explained = await environment.database.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, TIMING OFF) SELECT id FROM runs_in_turn($1, '-infinity', now(), 5)`,
      [id],
    );
    const plan = explained.map((line) => line['QUERY PLAN']).join('\n');
    expect(plan).toContain('runs_active_waiting');
    expect(plan).not.toMatch(/actual rows=[1-9][0-9]{3}|Removed by [A-Za-z ]*: [0-9]{4}/);
    const [row] = await environment.database.query<{ ids: string[] }>(
      `SELECT array_agg(left(id, 6)) AS ids FROM runs_in_turn($1, '-infinity', now(), 5)`,
      [id],
    );
    expect(row?.ids).toEqual(['run_00', 'run_02', 'run_02', 'run_02', 'run_02']);
    await environment.database.query('DELETE FROM runs WHERE tenant_id = $1', [id]);
  });

  it('pass over what is left of earlier runs at once, also while a long transaction keeps it', async () => {
    const { client, id } = await tenant({ wide: null, other: null });
    const long = new pg.Client({ connectionString: environment.database.url });
    await long.connect();
    try {
      await long.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await long.query('SELECT pg_current_xact_id()');
      await addRuns(id, { prefix: 'run_00', job: 'wide', due: '-1 hour' });
      await environment.database.query('DELETE FROM runs WHERE tenant_id = $1', [id]);
      await trigger(client, 'other');
      expect(await claim(id)).toHaveLength(1);
      const last = await trigger(client, 'wide');
      const pagesRead = async (dueFrom: string): Promise<number> => {
        const [explained] = await environment.database.query<{
          'QUERY PLAN': [{ Plan: Record<string, number> }];
        }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
           SELECT turn.id FROM tenant_queues CROSS JOIN LATERAL runs_in_turn(tenant_id, ${dueFrom}, now(), 5) turn WHERE tenant_id = $1`,
          [id],
        );
        return explained?.['QUERY PLAN'][0].Plan['Shared Hit Blocks'] ?? NaN;
      };
      expect(await pagesRead(`'-infinity'`)).toBeGreaterThan(150);
      expect(await pagesRead('due_from')).toBeLessThan(50);
      expect((await claim(id)).map((run) => run.id)).toEqual([last.id]);
    } finally {
      await long.end();
    }
  });

  it('find the first due run again after the clock was set back, and after retries that are due before', async () => {
    const { client, id } = await tenant({ wide: null });
    await trigger(client, 'wide', { delay_ms: 3_600_000 });
    await environment.database.query(
      `UPDATE tenant_queues SET due_from = now() + interval '1 h' WHERE tenant_id = $1`,
      [id],
    );
    await trigger(client, 'wide');
    const [first] = await claim(id);
    if (first === undefined) throw new Error('nothing was claimed');
    await environment.database.query(
      `UPDATE tenant_queues SET due_from = now() + interval '1 h' WHERE tenant_id = $1`,
      [id],
    );
    const retried: AttemptEnd = {
      ...completed(first),
      event: 'failed with retries left',
      outcome: 'failed',
      countsAsFailure: true,
    };
    await exchange(id, { ends: [retried] });
    expect((await claim(id)).map((run) => run.id)).toEqual([first.id]);
    expect(await counts(id)).toEqual({ running: 1, queued: 1, retrying: 0 });
  });

  it('keep tenant and job within their limits when several workers claim at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { client, id } = await tenant({ narrow: 2, wide: null });
      await triggerMany(client, 'narrow', 6);
      await triggerMany(client, 'wide', 6);
      const claimed = (await Promise.all([claim(id, 3), claim(id, 3), claim(id, 3)])).flat();
      expect(claimed).toHaveLength(CAP);
      expect(jobsOf(claimed).filter((job) => job === 'narrow')).toHaveLength(2);
      expect((await counts(id)).running).toBe(CAP);
    }
  });

  it('begin accepted runs in the slots that come with them, within the limits of job and tenant', async () => {
    const { id } = await tenant({ narrow: 2, wide: null });
    const arrivals = [
      ...Array.from({ length: 3 }, () => newRun(id, 'narrow')),
      ...Array.from({ length: 4 }, () => newRun(id, 'wide')),
      newRun(id, 'wide', 60_000),
    ];
    const { accepted, claimed } = await exchange(id, { arrivals, slots: 8 });
    expect(accepted.map((run) => [run.id, run.status, run.attempt])).toEqual(
      arrivals.map((run) => [run.id, 'queued', 0]),
    );
    expect(jobsOf(claimed).sort()).toEqual(['narrow', 'narrow', 'wide', 'wide', 'wide']);
    expect(claimed[0]).toMatchObject({
      attempt: 1,
      fence: 1,
      failures: 0,
      payload: '{"a": 1}',
      handler: 'echo',
    });
    expect(await counts(id)).toEqual({ running: CAP, queued: 3, retrying: 0 });
    const [queue] = await environment.database.query(
      'SELECT queued_bytes FROM tenant_queues WHERE tenant_id = $1',
      [id],
    );
    expect(queue).toEqual({ queued_bytes: String(3 * '{"a": 1}'.length) });
    await finish(claimed);
    expect((await counts(id)).running).toBe(0);
  });

  it('begin runs that wait before one that has just been accepted', async () => {
    const { client, id } = await tenant({ wide: null });
    const first = await trigger(client, 'wide');
    const { claimed } = await exchange(id, { arrivals: [newRun(id, 'wide')], slots: 1 });
    expect(claimed.map((run) => run.id)).toEqual([first.id]);
  });

  it('give each slot that an end frees to the next run in the same statement, once', async () => {
    const { id } = await tenant({ wide: null });
    const arrivals = Array.from({ length: CAP + 3 }, () => newRun(id, 'wide'));
    const { claimed: running } = await exchange(id, { arrivals, slots: CAP });
    const ends = running.map(completed);
    const { ends: written, claimed } = await exchange(id, { ends, slots: 4 });
    expect(written.map((end) => end.status)).toEqual(Array.from({ length: CAP }, () => 'completed'));
    expect(claimed.map((run) => run.id).sort()).toEqual(
      arrivals
        .map((run) => run.id)
        .filter((run) => !running.some((one) => one.id === run))
        .sort(),
    );
    expect(await counts(id)).toEqual({ running: 3, queued: 0, retrying: 0 });
    // The same ends again change nothing, and free nothing.
    expect(await exchange(id, { ends, slots: 4 })).toMatchObject({ ends: [], claimed: [] });
    expect((await counts(id)).running).toBe(3);
  });

  it('write only the end of the current claim', async () => {
    const { id } = await tenant({ wide: null });
    const { claimed } = await exchange(id, { arrivals: [newRun(id, 'wide')], slots: 1 });
    const ends = claimed.flatMap((run) => [completed({ ...run, fence: 0 }), completed(run)]);
    expect((await exchange(id, { ends })).ends.map((end) => end.fence)).toEqual([1]);
  });

  it('begin a single run at once only while nothing of its tenant waits', async () => {
    const { client, id } = await tenant({ wide: null, narrow: 1 });
    const begun = await exchanges.begin(database.autoCommit, newRun(id, 'wide'), WORKER);
    expect(begun).toMatchObject({
      accepted: { status: 'queued', attempt: 0 },
      claimed: { attempt: 1, fence: 1 },
    });
    expect(await exchanges.begin(database.autoCommit, newRun(id, 'narrow'), WORKER)).toBeNull();
    expect(await counts(id)).toEqual({ running: 1, queued: 0, retrying: 0 });
    await trigger(client, 'wide', { delay_ms: 3_600_000 });
    expect(await exchanges.begin(database.autoCommit, newRun(id, 'wide'), WORKER)).toBeNull();
    const full = await tenant({ wide: null });
    const runs = Array.from({ length: CAP + 1 }, () => newRun(full.id, 'wide'));
    const atOnce = await Promise.all(runs.map((run) => exchanges.begin(database.autoCommit, run, WORKER)));
    expect(atOnce.filter((one) => one !== null)).toHaveLength(CAP);
    expect(await counts(full.id)).toEqual({ running: CAP, queued: 0, retrying: 0 });
  });

  it('and ends of several tenants, in any order, neither exceed a limit nor deadlock', async () => {
    const tenants = await Promise.all(Array.from({ length: 4 }, () => tenant({ narrow: 2, wide: null })));
    for (const { client } of tenants) {
      await triggerMany(client, 'narrow', 10);
      await triggerMany(client, 'wide', 20);
    }
    let ended = 0;
    const work = async (): Promise<void> => {
      let held: readonly ClaimedRun[] = [];
      while (ended < 4 * 30) {
        const asked = tenants
          .filter(() => randomInt(2) === 0 || held.length > 0)
          .sort(() => randomInt(3) - 1);
        const given = asked.map(({ id }) => ({
          tenantId: id,
          ends: held.filter(({ tenantId }) => tenantId === id).map(completed),
          slots: randomInt(1, 4),
        }));
        const exchanged = [...(await exchanges.exchange(database.autoCommit, WORKER, given)).values()];
        ended += exchanged.reduce((sum, { ends }) => sum + ends.length, 0);
        held = exchanged.flatMap(({ claimed }) => claimed);
      }
    };
    let isOver = false;
    const watch = async (): Promise<void> => {
      while (!isOver)
        for (const { id } of tenants) expect((await counts(id)).running).toBeLessThanOrEqual(CAP);
    };
    const watching = watch();
    try {
      await Promise.all([work(), work(), work(), work()]);
    } finally {
      isOver = true;
    }
    await watching;
    for (const { id } of tenants) expect(await counts(id)).toEqual({ running: 0, queued: 0, retrying: 0 });
  });
});
