import { randomInt, randomUUID } from 'node:crypto';
import { EnqueueRepository } from '../../../src/jobs/runs/enqueue/enqueue.repository.js';
import type { ArrivingRun } from '../../../src/jobs/runs/enqueue/enqueue.repository.js';
import { waitingOf } from '../../../src/jobs/runs/enqueue/waiting-count.repository.js';
import type { TenantId } from '../../../src/http/index.js';
import { newRunId } from '../../../src/jobs/runs/model/run-id.js';
import { RunClaimRepository } from '../../../src/jobs/runs/claim/run-claim.repository.js';
import type { Claim } from '../../../src/jobs/runs/claim/run-claim.repository.js';
import { RunEndRepository } from '../../../src/jobs/runs/finish/run-end.repository.js';
import { RunExchangeRepository } from '../../../src/jobs/runs/finish/run-exchange.repository.js';
import type { AttemptEnd } from '../../../src/jobs/runs/finish/finish-statement.js';
import type { FreedSlot } from '../../../src/jobs/runs/model/waiting-run.js';
import { ThrottledRunRepository } from '../../../src/jobs/runs/slots/throttled-run.repository.js';
import type { ClaimedRun } from '../../../src/jobs/runs/model/run.js';
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

function runsOf(claims: readonly (Claim | null)[]): ClaimedRun[] {
  return claims.flatMap((claim) => claim?.run ?? []);
}

/** No worker runs beside these tests: they are the workers. */
describe('claims of several runs in one statement', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let database: Database;
  let claims: RunClaimRepository;
  let ends: RunEndRepository;
  let exchanges: RunExchangeRepository;
  let throttled: ThrottledRunRepository;

  beforeAll(async () => {
    environment = await createEnvironment();
    await environment.deploy('echo', 'export default () => Response.json({})');
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    database = service.application.get(Database);
    claims = service.application.get(RunClaimRepository);
    ends = service.application.get(RunEndRepository);
    exchanges = service.application.get(RunExchangeRepository);
    throttled = service.application.get(ThrottledRunRepository);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  async function tenant(
    limits: Readonly<Record<string, number | null>>,
  ): Promise<{ client: Client; id: string }> {
    const { client, orgId } = await signUpOwner(service.url);
    const fieldsOf = (limit: number | null): Record<string, unknown> =>
      limit === null ? { handler: 'echo' } : { handler: 'echo', max_concurrent_runs: limit };
    await registerJobs(
      client,
      Object.fromEntries(Object.entries(limits).map(([id, limit]) => [id, fieldsOf(limit)])),
    );
    return { client, id: orgId };
  }

  async function claim(runIds: readonly string[]): Promise<(Claim | null)[]> {
    return await claims.claim(database.autoCommit, runIds, WORKER, CAP);
  }

  async function finish(runs: readonly ClaimedRun[]): Promise<void> {
    const exchange = { ends: runs.map(completed), keepsSlot: runs.map(() => false), slots: [] };
    const written = await exchanges.exchange(database.autoCommit, exchange, WORKER, CAP);
    // Another claim, which came too late for it, may hold the run for a moment.
    const held = runs.filter((run) => !written.ends.some((end) => end.id === run.id));
    for (const run of held) expect(await ends.finish(database.autoCommit, completed(run))).not.toBeNull();
  }

  async function claimNext(slots: readonly FreedSlot[]): Promise<ClaimedRun[]> {
    const exchange = { ends: [], keepsSlot: [], slots };
    return [...(await exchanges.exchange(database.autoCommit, exchange, WORKER, CAP)).claimed];
  }

  /** What the slots say is in work, and what the runs say. */
  async function inWork(tenantId: string): Promise<{ counted: number; running: number; ofJobs: number }> {
    const [row] = await environment.database.query<{ counted: number; running: number; ofJobs: number }>(
      `SELECT (SELECT running FROM tenant_concurrency WHERE tenant_id = $1) AS counted,
              (SELECT count(*)::int FROM runs WHERE tenant_id = $1 AND status = 'running') AS running,
              (SELECT coalesce(sum(running), 0)::int FROM job_concurrency WHERE tenant_id = $1) AS "ofJobs"`,
      [tenantId],
    );
    return row ?? { counted: -1, running: -1, ofJobs: -1 };
  }

  async function stateOf(runId: string): Promise<string> {
    const [row] = await environment.database.query<{ state: string }>(
      `SELECT CASE WHEN throttled_by_job THEN 'throttled by job' WHEN throttled THEN 'throttled' ELSE status END AS state
       FROM runs WHERE id = $1`,
      [runId],
    );
    return row?.state ?? 'gone';
  }

  it('give the slots of job and tenant to the runs that have been due longest, and throttle the others', async () => {
    const { client, id } = await tenant({ narrow: 2, wide: null });
    const narrow = await triggerMany(client, 'narrow', 4);
    const wide = [];
    for (let count = 0; count < 5; count += 1) wide.push((await trigger(client, 'wide')).id);
    const outcome = await claim([...wide.toReversed(), ...narrow]);
    expect(runsOf(outcome)).toHaveLength(CAP);
    const states = async (runs: readonly string[]): Promise<string[]> => await Promise.all(runs.map(stateOf));
    expect((await states(narrow)).sort()).toEqual([
      'running',
      'running',
      'throttled by job',
      'throttled by job',
    ]);
    expect(await states(wide)).toEqual(['running', 'running', 'running', 'throttled', 'throttled']);
    expect(await inWork(id)).toEqual({ counted: CAP, running: CAP, ofJobs: CAP });
    // The job had no capacity; whether the tenant had is told, so that its capacity goes to others.
    expect(
      outcome
        .filter((one) => one?.run === null)
        .map((one) => one?.tenantHadFreeSlot)
        .sort(),
    ).toEqual([false, false, true, true]);
  });

  it('return results in the order of the ids, and null for runs that cannot be claimed', async () => {
    const { client } = await tenant({ wide: null });
    const [one = '', other = ''] = await triggerMany(client, 'wide', 2);
    const later = (await trigger(client, 'wide', { delay_ms: 3_600_000 })).id;
    const outcome = await claim([later, other, 'run_unknown', one]);
    expect(outcome.map((answer) => answer?.run?.id ?? null)).toEqual([null, other, null, one]);
    expect(await claim([one, other])).toEqual([null, null]);
  });

  it('take one slot for a run that is named twice', async () => {
    const { client, id } = await tenant({ wide: null });
    const run = (await trigger(client, 'wide')).id;
    await claim([run, run]);
    expect(await inWork(id)).toEqual({ counted: 1, running: 1, ofJobs: 1 });
  });

  it('find the runs without reading all waiting runs, although the statistics say that few wait', async () => {
    const { client, id } = await tenant({ wide: null });
    const named = await triggerMany(client, 'wide', 20);
    const add = async (prefix: string, status: string): Promise<void> => {
      await environment.database.query(
        `INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff,
                           max_attempts, due_at, completed_at)
         SELECT $2 || n, $1, 'wide', $3, '{"type": "manual"}', '{}', 'echo', 1000, '{}', 1, now(),
                CASE WHEN $3 = 'completed' THEN now() END
         FROM generate_series(1, 20000) n`,
        [id, prefix, status],
      );
    };
    await add('run_00', 'completed');
    await environment.database.query('ANALYZE runs');
    await add('run_01', 'queued');
    await environment.database.query(`UPDATE runs SET throttled = true WHERE id LIKE 'run_01%'`);
    const plans: string[] = [];
    const explaining = {
      query: async (sql: string, parameters: unknown[]): Promise<never[]> => {
        const lines = await environment.database.query(`EXPLAIN (ANALYZE, TIMING OFF) ${sql}`, parameters);
        plans.push(JSON.stringify(lines));
        return [];
      },
    };
    await claims.claim(explaining as never, named, WORKER, CAP);
    const other = await tenant({ wide: null });
    const running = (await accept([arriving(other.id, 'wide')])).flatMap((run) => run ?? []);
    await accept(Array.from({ length: CAP + 5 }, () => arriving(other.id, 'wide')));
    const exchange = { ends: running.map(completed), keepsSlot: running.map(() => true), slots: [] };
    await exchanges.exchange(explaining as never, exchange, WORKER, CAP);
    expect(plans).toHaveLength(3);
    expect(plans.join()).toContain('LockRows');
    expect(plans.join()).not.toMatch(/actual rows=20[0-9]{3}|Removed by [A-Za-z ]*: [0-9]{5}/);
    await environment.database.query('DELETE FROM runs WHERE tenant_id = $1', [id]);
    await environment.database.query('UPDATE tenant_concurrency SET running = 0 WHERE tenant_id = $1', [id]);
  });

  it('keep a job within its limit when its first runs are claimed concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { client, id } = await tenant({ narrow: 2 });
      const runs = await triggerMany(client, 'narrow', 6);
      const outcomes = await Promise.all([claim(runs.slice(0, 3)), claim(runs.slice(3))]);
      const { running, counted, ofJobs } = await inWork(id);
      expect([counted, ofJobs]).toEqual([running, running]);
      expect(runsOf(outcomes.flat())).toHaveLength(running);
      // At least the first of the two claims found its capacity.
      expect(running).toBe(2);
    }
  });

  it('fill freed slots with the runs that have been throttled longest, of the job and of the tenant', async () => {
    const { client, id } = await tenant({ narrow: 2, wide: null });
    const narrow = await triggerMany(client, 'narrow', 3);
    const wide = await triggerMany(client, 'wide', 5);
    const running = runsOf(await claim([...narrow, ...wide]));
    const left = running.slice(0, 3);
    await finish(left);
    const slots = left.map(({ tenantId, jobId }) => ({ tenantId, jobId }));
    expect(await claimNext(slots)).toHaveLength(3);
    expect(await inWork(id)).toEqual({ counted: CAP, running: CAP, ofJobs: CAP });
    // Full again: a capacity that is none is given to nobody, and called to nobody.
    expect(await claimNext(slots)).toEqual([]);
    expect(await throttled.unthrottle(database.autoCommit, slots, CAP)).toEqual([]);
  });

  function arriving(tenantId: string, jobId: string, delayMs = 0): ArrivingRun {
    const fields = {
      priority: null,
      runAt: null,
      scheduledFor: null,
      retryOf: null,
      traceParent: null,
      delayMs,
    };
    const trigger = { type: 'manual', key_id: randomUUID() } as const;
    const payload = '{"a": 1}';
    return {
      run: { id: newRunId(), tenantId: tenantId as TenantId, jobId, trigger, payload, ...fields },
      hasSlot: true,
    };
  }

  async function accept(
    runs: readonly ArrivingRun[],
    worker: string | null = WORKER,
  ): Promise<(ClaimedRun | null)[]> {
    const arrivals = await service.application
      .get(EnqueueRepository)
      .accept(database.autoCommit, runs, worker, CAP);
    return arrivals.map((arrival) => (arrival !== null && 'started' in arrival ? arrival.started : null));
  }

  it('start accepted runs that have a slot reserved, within the limits of job and tenant, and throttle the others', async () => {
    const { id } = await tenant({ narrow: 2, wide: null });
    const runs = [
      ...Array.from({ length: 3 }, () => arriving(id, 'narrow')),
      ...Array.from({ length: 4 }, () => arriving(id, 'wide')),
      arriving(id, 'wide', 60_000),
    ];
    const unreserved = { ...arriving(id, 'wide'), hasSlot: false };
    const started = await accept([...runs, unreserved]);
    expect(started.map((run) => run !== null)).toEqual([
      ...[true, true, false],
      ...[true, true, true, false],
      ...[false, false],
    ]);
    const states = await Promise.all([...runs, unreserved].map(({ run }) => stateOf(run.id)));
    expect(states).toEqual([
      ...['running', 'running', 'throttled by job'],
      ...['running', 'running', 'running', 'throttled'],
      ...['queued', 'throttled'],
    ]);
    expect(await inWork(id)).toEqual({ counted: CAP, running: CAP, ofJobs: CAP });
    expect(started[0]).toMatchObject({
      attempt: 1,
      fence: 1,
      failures: 0,
      payload: '{"a": 1}',
      handler: 'echo',
    });
    // Those that wait are counted as waiting, and the others never were.
    const [waiting] = await environment.database.query(waitingOf('$1'), [id]);
    expect(waiting).toEqual({ runs: '4', bytes: String(4 * '{"a": 1}'.length) });
    await finish(started.flatMap((run) => run ?? []));
    expect(await inWork(id)).toEqual({ counted: 0, running: 0, ofJobs: 0 });
  });

  it('leave accepted runs to the queue when the worker that reserved their slots has begun to shut down', async () => {
    const { id } = await tenant({ wide: null });
    const run = arriving(id, 'wide');
    expect(await accept([run], null)).toEqual([null]);
    expect(await stateOf(run.run.id)).toBe('queued');
    expect(await inWork(id)).toEqual({ counted: 0, running: 0, ofJobs: 0 });
  });

  it('start no accepted run before runs of its tenant that are due', async () => {
    const { client, id } = await tenant({ wide: null });
    const first = await trigger(client, 'wide');
    const later = arriving(id, 'wide');
    expect(await accept([later])).toEqual([null]);
    expect(runsOf(await claim([later.run.id, first.id]))).toHaveLength(2);
  });

  it('hand each slot that an end frees to the next throttled run in the same statement, once', async () => {
    const { id } = await tenant({ wide: null });
    const runs = Array.from({ length: CAP + 3 }, () => arriving(id, 'wide'));
    const running = (await accept(runs)).flatMap((run) => run ?? []);
    const exchange = {
      ends: running.map(completed),
      keepsSlot: running.map((_run, place) => place < 4),
      slots: [],
    };
    const { ends: written, claimed } = await exchanges.exchange(database.autoCommit, exchange, WORKER, CAP);
    expect(written.map((end) => end.status)).toEqual(Array.from({ length: CAP }, () => 'completed'));
    expect(claimed.map((run) => run.id).sort()).toEqual(
      runs
        .slice(CAP)
        .map(({ run }) => run.id)
        .sort(),
    );
    expect(await inWork(id)).toEqual({ counted: 3, running: 3, ofJobs: 3 });
    // The same ends again change nothing, and free nothing.
    expect(await exchanges.exchange(database.autoCommit, exchange, WORKER, CAP)).toEqual({
      ends: [],
      claimed: [],
      throttled: [],
    });
    expect(await inWork(id)).toEqual({ counted: 3, running: 3, ofJobs: 3 });
  });

  it('never start more accepted runs than the limits allow when several instances accept them at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await tenant({ narrow: 2, wide: null });
      const batch = (): ArrivingRun[] => [
        ...Array.from({ length: 2 }, () => arriving(id, 'narrow')),
        ...Array.from({ length: 3 }, () => arriving(id, 'wide')),
      ];
      const started = (await Promise.all([accept(batch()), accept(batch()), accept(batch())])).flat();
      const running = started.flatMap((run) => run ?? []);
      expect(running.length).toBeLessThanOrEqual(CAP);
      expect(running.filter((run) => run.jobId === 'narrow').length).toBeLessThanOrEqual(2);
      const count = running.length;
      expect(await inWork(id)).toEqual({ counted: count, running: count, ofJobs: count });
    }
  });

  it('and ends of several tenants, in any order, neither exceed a limit nor deadlock', async () => {
    const tenants = await Promise.all(Array.from({ length: 4 }, () => tenant({ narrow: 2, wide: null })));
    const waiting: string[] = [];
    for (const { client } of tenants) {
      waiting.push(...(await triggerMany(client, 'narrow', 10)), ...(await triggerMany(client, 'wide', 20)));
    }
    let ended = 0;
    const work = async (): Promise<void> => {
      while (ended < 4 * 30) {
        const some = Array.from({ length: 8 }, () => waiting[randomInt(waiting.length)] ?? '');
        const claimed = runsOf(await claim([...new Set(some)]));
        if (claimed.length === 0) continue;
        await finish(claimed);
        ended += claimed.length;
      }
    };
    let isOver = false;
    const watch = async (): Promise<void> => {
      while (!isOver) {
        for (const { id } of tenants) {
          const { counted, running, ofJobs } = await inWork(id);
          expect([counted, ofJobs]).toEqual([running, running]);
          expect(running).toBeLessThanOrEqual(CAP);
        }
      }
    };
    const watching = watch();
    try {
      await Promise.all([work(), work(), work(), work()]);
    } finally {
      isOver = true;
    }
    await watching;
    for (const { id } of tenants) expect(await inWork(id)).toEqual({ counted: 0, running: 0, ofJobs: 0 });
  });
});
