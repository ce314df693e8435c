import pg from 'pg';
import { randomUUID } from 'node:crypto';
import type { WrittenEnd } from '../../../src/jobs/runs/exchange/exchange.js';
import { ExchangeRepository } from '../../../src/jobs/runs/exchange/exchange.repository.js';
import type { AttemptEnd } from '../../../src/jobs/runs/model/attempt-end.js';
import { RunEnds } from '../../../src/jobs/runs/finish/run-ends.js';
import { RunEnqueuer } from '../../../src/jobs/runs/enqueue/run-enqueuer.js';
import type { ClaimedRun, NewRun } from '../../../src/jobs/runs/model/run.js';
import { Database } from '../../../src/platform/database/index.js';
import type { TenantId } from '../../../src/http/index.js';
import { signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { registerJobs, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';
import { newRunId } from '../../../src/jobs/runs/model/run-id.js';

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

function endOf(id: string, claimed: readonly ClaimedRun[]): AttemptEnd {
  const run = claimed.find((one) => one.id === id);
  if (run === undefined) throw new Error(`${id} was not claimed`);
  return completed(run);
}

/** What goes together with what another holds: the deletion of a job, for one, which may take seconds. */
describe('a statement of several runs', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let database: Database;
  let exchanges: ExchangeRepository;
  const holders: pg.Client[] = [];

  beforeAll(async () => {
    environment = await createEnvironment();
    await environment.deploy('echo', 'export default () => Response.json({})');
    service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      // A slot count stays locked here, and what is accepted waits for it no longer than this.
      SERVICE_TIMING__RUNS__LOCK_LIMIT_MS: '1000',
    });
    database = service.application.get(Database);
    exchanges = service.application.get(ExchangeRepository);
  });

  afterEach(async () => {
    await Promise.all(holders.splice(0).map((holder) => holder.end()));
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  async function tenant(): Promise<{ client: Client; id: TenantId }> {
    const { client, orgId } = await signUpOwner(service.url);
    await registerJobs(client, { wide: { handler: 'echo' } });
    return { client, id: orgId as TenantId };
  }

  /** A transaction that has locked what the query names, until it is told to go. */
  async function holding(sql: string, parameters: unknown[]): Promise<() => Promise<void>> {
    const holder = new pg.Client({ connectionString: environment.database.url });
    await holder.connect();
    holders.push(holder);
    await holder.query('BEGIN');
    await holder.query(sql, parameters);
    return async () => {
      await holder.query('COMMIT');
    };
  }

  async function countOfWaiting(): Promise<number> {
    const [row] = await environment.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return row?.count ?? 0;
  }

  async function claim(...tenantIds: readonly TenantId[]): Promise<ClaimedRun[]> {
    const given = tenantIds.map((tenantId) => ({ tenantId, slots: 5 }));
    const exchanged = await exchanges.exchange(database.autoCommit, WORKER, given);
    return [...exchanged.values()].flatMap(({ claimed }) => claimed);
  }

  async function finish(end: AttemptEnd): Promise<WrittenEnd | null> {
    return (await service.application.get(RunEnds).finishAttempt(end, 0)).written;
  }

  function newRun(tenantId: TenantId, fields: Partial<NewRun> = {}): NewRun {
    const trigger = { type: 'manual', key_id: randomUUID() } as const;
    const nothing = { priority: null, runAt: null, scheduledFor: null, retryOf: null, traceParent: null };
    return {
      id: newRunId(),
      tenantId,
      jobId: 'wide',
      trigger,
      payload: '{}',
      delayMs: 0,
      ...nothing,
      ...fields,
    };
  }

  it('and the deletion of their job, in any order, end each run once', async () => {
    const { client, id } = await tenant();
    const runs = [];
    for (let count = 0; count < 8; count += 1) runs.push((await trigger(client, 'wide')).id);
    const claimed = await claim(id);
    const letGo = await holding('SELECT FROM tenant_queues WHERE tenant_id = $1 FOR UPDATE', [id]);
    const deletion = client.send('DELETE', '/jobs/v1/jobs/wide');
    const written = Promise.all(claimed.map((run) => finish(endOf(run.id, claimed))));
    await until(async () => (await countOfWaiting()) > 1);
    await letGo();
    expect((await deletion).status).toBe(204);
    expect((await written).map((end) => end?.status)).toEqual(claimed.map(() => 'completed'));
    const statuses = await environment.database.query<{ status: string }>(
      'SELECT status FROM runs WHERE tenant_id = $1 ORDER BY id',
      [id],
    );
    expect(statuses.map(({ status }) => status)).toEqual([
      ...claimed.map(() => 'completed'),
      ...runs.slice(claimed.length).map(() => 'cancelled'),
    ]);
  });

  it('ends the waiting runs of a deleted job in parts, so that none holds the event loop for long', async () => {
    const { client, id } = await tenant();
    const runs = Array.from({ length: 2_500 }, () => newRun(id, { delayMs: 3_600_000 }));
    await database.transaction((tx) => service.application.get(RunEnqueuer).acceptAll(tx, runs));
    const statements = await service.statementsOf(() => client.send('DELETE', '/jobs/v1/jobs/wide'));
    expect(statements.filter((sql) => sql.includes('exchange_runs_1'))).toHaveLength(3);
    const left = await environment.database.query('SELECT FROM runs_active WHERE tenant_id = $1', [id]);
    expect(left).toEqual([]);
  });

  it('begins no run whose job is being deleted, and does not wait for the deletion', async () => {
    const { id } = await tenant();
    const begin = async (): Promise<unknown> =>
      await exchanges.begin(database.autoCommit, newRun(id), WORKER);
    expect(await begin()).not.toBeNull();
    const letGo = await holding(
      `WITH gone AS (DELETE FROM jobs WHERE tenant_id = $1)
       SELECT FROM tenant_queues WHERE tenant_id = $1 FOR UPDATE`,
      [id],
    );
    expect(await begin()).toBeNull();
    await letGo();
    expect(await begin()).toBeNull();
    const [queue] = await environment.database.query<{ running: number }>(
      'SELECT running FROM tenant_queues WHERE tenant_id = $1',
      [id],
    );
    expect(queue?.running).toBe(1);
  });

  it('begins a run whose job is deleted only while it waits for the tenant, and the deletion waits for it', async () => {
    const { id } = await tenant();
    const letGo = await holding('SELECT FROM tenant_queues WHERE tenant_id = $1 FOR UPDATE', [id]);
    const beginning = exchanges.begin(database.autoCommit, newRun(id), WORKER);
    await until(async () => (await countOfWaiting()) > 0);
    const deletion = environment.database.query('DELETE FROM jobs WHERE tenant_id = $1', [id]);
    await until(async () => (await countOfWaiting()) > 1);
    await letGo();
    expect(await beginning).not.toBeNull();
    await deletion;
  });

  it('writes the ends of the tenants that are not locked', async () => {
    const [one, other] = [await tenant(), await tenant()];
    const held = await trigger(one.client, 'wide');
    const free = await trigger(other.client, 'wide');
    const claimed = await claim(one.id, other.id);
    const letGo = await holding('SELECT FROM tenant_queues WHERE tenant_id = $1 FOR UPDATE', [one.id]);
    const late = finish(endOf(held.id, claimed));
    // While the other is locked: it would wait until the test's limit.
    expect(await finish(endOf(free.id, claimed))).toMatchObject({ id: free.id, status: 'completed' });
    await letGo();
    expect(await late).toMatchObject({ id: held.id, status: 'completed' });
  });

  it('accepts the runs whose job is not being deleted', async () => {
    const [one, other] = [await tenant(), await tenant()];
    const enqueuer = service.application.get(RunEnqueuer);
    const letGo = await holding('SELECT FROM jobs WHERE tenant_id = $1 FOR UPDATE', [one.id]);
    const late = enqueuer.acceptAlone(newRun(one.id));
    expect(await enqueuer.acceptAlone(newRun(other.id))).toMatchObject({ status: 'queued' });
    await letGo();
    expect(await late).toMatchObject({ status: 'queued' });
  });

  it('accepts the runs of other tenants although one stays locked, whose runs wait in one connection', async () => {
    const [one, other] = [await tenant(), await tenant()];
    const enqueuer = service.application.get(RunEnqueuer);
    const letGo = await holding('SELECT FROM tenant_queues WHERE tenant_id = $1 FOR UPDATE', [one.id]);
    // All in one statement.
    const [accepted, ...late] = [other.id, one.id, one.id, one.id].map((id) =>
      enqueuer.acceptAlone(newRun(id)),
    );
    expect(await accepted).toMatchObject({ status: 'queued' });
    await until(async () => (await countOfWaiting()) > 0);
    expect(await countOfWaiting()).toBe(1);
    await letGo();
    expect((await Promise.all(late)).map((run) => run?.status)).toEqual(['queued', 'queued', 'queued']);
  });
});
