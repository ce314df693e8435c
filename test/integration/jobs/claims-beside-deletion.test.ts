import pg from 'pg';
import { randomUUID } from 'node:crypto';
import { EnqueueRepository } from '../../../src/jobs/runs/enqueue/enqueue.repository.js';
import { RunClaimRepository } from '../../../src/jobs/runs/claim/run-claim.repository.js';
import { RunExchangeRepository } from '../../../src/jobs/runs/finish/run-exchange.repository.js';
import type { AttemptEnd, WrittenEnd } from '../../../src/jobs/runs/finish/finish-statement.js';
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
const CAP = 5;

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
  let claims: RunClaimRepository;
  let exchanges: RunExchangeRepository;
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
    claims = service.application.get(RunClaimRepository);
    exchanges = service.application.get(RunExchangeRepository);
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

  /** Waits until another transaction waits for this one. */
  async function blocks(holder: pg.Client | undefined): Promise<void> {
    const own = await holder?.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await until(async () => {
      const behind = await environment.database.query(
        'SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))',
        [own?.rows[0]?.pid],
      );
      return behind.length > 0;
    });
  }

  async function countOfWaiting(): Promise<number> {
    const [row] = await environment.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return row?.count ?? 0;
  }

  async function claim(runIds: readonly string[]): Promise<ClaimedRun[]> {
    const claimed = await claims.claim(database.autoCommit, runIds, WORKER, CAP);
    return claimed.flatMap((one) => one?.run ?? []);
  }

  async function finish(end: AttemptEnd): Promise<WrittenEnd | null> {
    return await service.application.get(RunEnds).finishAttempt(end, false);
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

  it('and the deletion of their job do not wait for each other', async () => {
    const { client } = await tenant();
    const runs = [];
    for (let count = 0; count < 4; count += 1) runs.push((await trigger(client, 'wide')).id);
    const [first = '', early = '', middle = '', late = ''] = runs;
    const letFirst = await holding('SELECT FROM runs WHERE id = $1 FOR UPDATE', [first]);
    const letMiddle = await holding('SELECT FROM runs WHERE id = $1 FOR UPDATE', [middle]);
    const [firstHolder, middleHolder] = holders;
    const deletion = client.send('DELETE', '/jobs/v1/jobs/wide');
    await blocks(firstHolder);
    // Claimed while the deletion looks: it will find them not waiting any more, and yet hold them.
    const claimed = [...(await claim([late])), ...(await claim([early]))];
    expect(claimed).toHaveLength(2);
    await letFirst();
    await blocks(middleHolder);
    let isWritten = false;
    const written = Promise.all([late, early].map((id) => finish(endOf(id, claimed)))).finally(() => {
      isWritten = true;
    });
    await until(async () => isWritten || (await countOfWaiting()) > 1);
    await letMiddle();
    expect((await deletion).status).toBe(204);
    expect((await written).map((end) => end?.status)).toEqual(['completed', 'completed']);
  });

  it('writes the ends of the runs that are not locked', async () => {
    const [one, other] = [await tenant(), await tenant()];
    const held = await trigger(one.client, 'wide');
    const free = await trigger(other.client, 'wide');
    const claimed = await claim([held.id, free.id]);
    const letGo = await holding('SELECT FROM runs WHERE id = $1 FOR UPDATE', [held.id]);
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

  it('accepts the runs of each tenant although the slot count of one stays locked', async () => {
    const [one, other] = [await tenant(), await tenant()];
    const enqueuer = service.application.get(RunEnqueuer);
    const letGo = await holding('SELECT FROM tenant_concurrency WHERE tenant_id = $1 FOR UPDATE', [one.id]);
    const accepted = Promise.all([one.id, other.id].map((id) => enqueuer.acceptAlone(newRun(id))));
    expect(await accepted).toMatchObject([{ status: 'queued' }, { status: 'queued' }]);
    await letGo();
  });

  it('puts a run that is due at once before runs that are due later in the queue', async () => {
    const { id } = await tenant();
    const acceptance = service.application.get(EnqueueRepository);
    const later = Array.from({ length: 50 }, (_, hours) => newRun(id, { delayMs: (hours + 1) * 3_600_000 }));
    const soon = newRun(id);
    const { accepted } = await acceptance.insert(database.autoCommit, [...later, soon]);
    const aheadOf = accepted.map((run) => {
      const delayMs = [...later, soon].find((wanted) => wanted.id === run.id)?.delayMs ?? NaN;
      return Math.round((run.fairShareOrder - run.createdAt.getTime() - delayMs) / 10_000);
    });
    expect(aheadOf).toEqual(Array.from({ length: 51 }, () => 0));
  });

  it('does not report an end that another worker wrote for a later attempt', async () => {
    const { client } = await tenant();
    const { id } = await trigger(client, 'wide');
    const [run] = await claim([id]);
    if (run === undefined) throw new Error('the run was not claimed');
    const stale = completed({ ...run, fence: 0 });
    const exchange = { ends: [stale, completed(run)], keepsSlot: [false, false], slots: [] };
    const written = await exchanges.exchange(database.autoCommit, exchange, WORKER, CAP);
    expect(written.ends.map((end) => end.fence)).toEqual([1]);
  });
});
