import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TenantId } from '../../src/http/index.js';
import { ExchangeRepository } from '../../src/jobs/runs/exchange/exchange.repository.js';
import { RunPump } from '../../src/jobs/runs/exchange/run-pump.js';
import { successOf } from '../../src/jobs/runs/finish/attempt-end.js';
import { newRunId } from '../../src/jobs/runs/model/run-id.js';
import type { ClaimedRun, NewRun } from '../../src/jobs/runs/model/run.js';
import { LocalWorker } from '../../src/jobs/runs/queue/local-worker.js';
import { RunDispatcher } from '../../src/jobs/runs/queue/run-dispatcher.js';
import { CONFIG } from '../../src/platform/config/index.js';
import type { Config } from '../../src/platform/config/index.js';
import { Database } from '../../src/platform/database/index.js';
import { Client, PASSWORD, signUp, signUpOwner } from '../support/client.js';
import { stopExpiry } from '../support/clocks.js';
import { createEnvironment } from '../support/environment.js';
import type { TestEnvironment } from '../support/environment.js';
import { registerJobs, trigger } from '../support/runs.js';
import { redisCommandsOf } from '../support/redis-commands.js';
import { ServiceInProcess } from '../support/service-in-process.js';
import { until } from '../support/until.js';
import { writesOf } from './flood-writes.js';
import type { Writes } from './flood-writes.js';
import { isOfRun, queueCommands } from './run-statements.js';

const SIGN_IN = '/auth/v1/token?grant_type=password';
const REFRESH = '/auth/v1/token?grant_type=refresh_token';
const WRONG = 'not the password of anyone';

async function hashesOf(client: Client, work: () => Promise<unknown>): Promise<number> {
  const count = async (): Promise<number> => {
    const { body } = await client.get<string>('/metrics');
    return Number(/^service_password_hashes_total (\d+)$/m.exec(body)?.[1]);
  };
  const before = await count();
  await work();
  return (await count()) - before;
}

function answerOf({ status, headers, body }: { status: number; headers: Headers; body: unknown }): unknown {
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  return { status, body, headers: kept };
}

describe('an instance that serves the API alone', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let anonymous: Client;

  beforeAll(async () => {
    environment = await createEnvironment({ redis: 'server' });
    await environment.deploy('echo', 'export default () => Response.json({})');
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    anonymous = new Client(service.url);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  it('authenticates and authorizes a warm request without SQL and without Redis', async () => {
    const { client } = await signUpOwner(service.url);
    let statements: string[] = [];
    const commands = await redisCommandsOf(environment.redis.client, async () => {
      statements = await service.statementsOnceWarm(async () => {
        for (let time = 0; time < 10; time += 1) {
          const { status, body } = await client.get('/auth/v1/permissions');
          expect([status, body.permissions]).toEqual([200, ['*']]);
        }
      });
    });
    expect(statements).toEqual([]);
    expect(commands).toEqual({});
  });

  it('signs in with at most four statements and one password hash', async () => {
    const { email } = await signUp(service.url);
    let statements: string[] = [];
    const hashes = await hashesOf(anonymous, async () => {
      statements = await service.statementsOf(async () => {
        expect((await anonymous.post(SIGN_IN, { email, password: PASSWORD })).status).toBe(200);
      });
    });
    // The metrics page asks for the queue's depth after the statements of the sign-in were taken.
    expect(statements.length).toBeLessThanOrEqual(4);
    expect(statements.length).toBeGreaterThan(0);
    expect(hashes).toBe(1);
  });

  it('refuses a wrong password and an unknown address with the same work and the same answer', async () => {
    const { email } = await signUp(service.url);
    const attempt = async (
      address: string,
    ): Promise<{ hashes: number; statements: number; answer: unknown }> => {
      let answer: unknown;
      let statements: string[] = [];
      const hashes = await hashesOf(anonymous, async () => {
        statements = await service.statementsOf(async () => {
          answer = answerOf(await anonymous.post(SIGN_IN, { email: address, password: WRONG }));
        });
      });
      return { hashes, statements: statements.length, answer };
    };
    const wrongPassword = await attempt(email);
    const unknownAddress = await attempt(`nobody-${email}`);
    expect(wrongPassword).toMatchObject({ hashes: 1, answer: { status: 401 } });
    expect(wrongPassword.statements).toBeLessThanOrEqual(4);
    expect(unknownAddress).toEqual(wrongPassword);
  });

  it('refreshes with one statement', async () => {
    const { refreshToken } = await signUp(service.url);
    const statements = await service.statementsOf(async () => {
      expect((await anonymous.post(REFRESH, { refresh_token: refreshToken })).status).toBe(200);
    });
    expect(statements).toHaveLength(1);
  });

  it('accepts a batch of 1,000 triggers with one insert, and with two more statements when all have keys', async () => {
    const { client } = await signUpOwner(service.url);
    const jobs = [{ id: 'echo', name: 'Echo', handler: 'echo' }];
    expect((await client.post('/jobs/v1/jobs', { jobs })).status).toBe(200);
    const keyed = Array.from({ length: 1_000 }, (_none, n) => ({
      payload: { n },
      idempotency_key: `batch-${n}`,
    }));
    const unkeyed = keyed.map(({ payload }) => ({ payload, delay_ms: 3_600_000 }));
    const most = [
      { items: unkeyed, statements: 1 },
      { items: keyed, statements: 2 },
      // Sent again, the keys and the earlier runs are looked up, and none is inserted.
      { items: keyed, statements: 3 },
    ];
    // The caller's membership is cached once the changes above have arrived, and stays so.
    const expiry = stopExpiry();
    await service.hearOfChanges();
    await client.get('/jobs/v1/jobs');
    for (const { items, statements: allowed } of most) {
      const statements = await service.statementsOf(async () => {
        expect((await client.post('/jobs/v1/jobs/echo/trigger/batch', { items })).status).toBe(202);
      });
      const counted = statements.filter((sql) => !/^(?:START|BEGIN|COMMIT)/.test(sql));
      expect(counted.length).toBeLessThanOrEqual(allowed);
    }
    expiry.mockRestore();
  });

  it('accepts a manual trigger with at most three statements, and adds one wake-up to the queue for all that wait', async () => {
    const { client } = await signUpOwner(service.url);
    const jobs = [{ id: 'echo', name: 'Echo', handler: 'echo' }];
    expect((await client.post('/jobs/v1/jobs', { jobs })).status).toBe(200);
    for (const [caller, additions] of [
      [client, 1],
      [client, 0],
      [client.with({ 'idempotency-key': 'once' }), 0],
    ] as const) {
      let statements: string[] = [];
      const commands = await redisCommandsOf(environment.redis.client, async () => {
        statements = await service.statementsOf(async () => {
          expect((await caller.post('/jobs/v1/jobs/echo/trigger')).status).toBe(202);
        });
      });
      expect(statements.length).toBeLessThanOrEqual(3);
      // Bull adds a job by one script; what the script calls is counted beside it.
      expect((commands.evalsha ?? 0) + (commands.eval ?? 0)).toBe(additions);
      expect(commands.exists).toBe(additions === 1 ? 3 : 1);
    }
  });

  // Of several organizations, each statement changes a row of counts and adds one of changes for each.
  it.each([
    { organizations: 1, rows: 5, indexEntries: 12 },
    { organizations: 8, rows: 7, indexEntries: 13 },
  ])(
    'takes a run of a flood to its end with a fifth of a statement, $rows rows, $indexEntries entries of indexes and 3.5 kB ($organizations organizations)',
    async ({ organizations, rows, indexEntries }) => {
      const RUNS = 840;
      const CALLERS = 16;
      const SLOTS = 8;
      const { application } = service;
      const owners = await Promise.all(Array.from({ length: organizations }, () => signUpOwner(service.url)));
      for (const { client } of owners) await registerJobs(client, { echo: {} });
      const tenantIds = owners.map(({ orgId }) => orgId as TenantId);
      // Callers and handlers that take no time, so that what shares a statement follows from their number alone.
      const local = new LocalWorker();
      const workerId = randomUUID();
      local.worker = { workerId, begin: async (_tenantId, claim) => await claim(0), wake: () => undefined };
      const config = application.get<Config>(CONFIG);
      const timing = { ...config.timing, runs: { ...config.timing.runs, groupWaitMs: 3_600_000 } };
      const pump = new RunPump(
        application.get(Database),
        application.get(ExchangeRepository),
        local,
        application.get(RunDispatcher),
        { ...config, timing },
      );
      const newRun = (tenantId: TenantId): NewRun => ({
        ...{
          id: newRunId(),
          tenantId,
          jobId: 'echo',
          trigger: { type: 'manual', user_id: owners[0]?.userId ?? '' },
          payload: '{}',
        },
        ...{ priority: null, delayMs: 0, runAt: null, scheduledFor: null, retryOf: null, traceParent: null },
      });
      /** Does the work as often as it can at one time, its number of times for each tenant. */
      const inTurn = async (
        atOneTime: number,
        work: (tenantId: TenantId) => Promise<void>,
      ): Promise<void> => {
        await Promise.all(
          Array.from({ length: atOneTime }, (_, number) =>
            work(tenantIds[number % organizations] as TenantId),
          ),
        );
      };
      const call = async (tenantId: TenantId): Promise<void> => {
        for (let left = Math.ceil(RUNS / CALLERS); left > 0; left -= 1)
          await pump.accept(newRun(tenantId), 0);
      };
      const attempt = async (tenantId: TenantId): Promise<void> => {
        let runs: readonly ClaimedRun[] = (await pump.claimRuns(tenantId, 1)).claimed;
        for (let [run] = runs; run !== undefined; [run] = runs)
          runs = (await pump.end(successOf(run, '{"ok":true}', 200), 1)).claimed;
      };
      let writes: Writes = { rows: 0, indexEntries: 0, bytes: 0 };
      const statements = await service.statementsOf(async () => {
        writes = await writesOf(environment.database, async () => {
          const calls = inTurn(CALLERS, call);
          await pump.accept(newRun(tenantIds[0] as TenantId), 0);
          await Promise.all([calls, inTurn(SLOTS, attempt)]);
        });
      });
      const ended = await environment.database.query(
        `SELECT FROM runs_ended WHERE tenant_id = ANY ($1::uuid[])`,
        [tenantIds],
      );
      const count = Math.ceil(RUNS / CALLERS) * CALLERS + 1;
      expect(ended).toHaveLength(count);
      // Each is its own transaction.
      expect(statements.filter((sql) => sql.includes('exchange_runs_1')).length / count).toBeLessThanOrEqual(
        0.2,
      );
      expect(statements.filter((sql) => !sql.includes('exchange_runs_1') && isOfRun(sql))).toEqual([]);
      expect(writes.rows / count).toBeLessThanOrEqual(rows);
      expect(writes.indexEntries / count).toBeLessThanOrEqual(indexEntries);
      expect(writes.bytes / count).toBeLessThanOrEqual(3_500);
    },
  );
});

describe('an instance that does everything', () => {
  let environment: TestEnvironment;
  let handler: Server;
  let service: ServiceInProcess;

  beforeAll(async () => {
    environment = await createEnvironment({ redis: 'server' });
    handler = createServer(({ url }, response) => response.writeHead(url === '/gone' ? 500 : 200).end('{}'));
    await once(handler.listen(0, '127.0.0.1'), 'listening');
    const variables: Record<string, string> = { ...environment.variables };
    // A function's process needs the build; a handler elsewhere does for counting.
    delete variables.SERVICE_FUNCTIONS__DIR;
    const { port } = handler.address() as AddressInfo;
    service = await ServiceInProcess.start({
      ...variables,
      SERVICE_FUNCTIONS__URL: `http://127.0.0.1:${port}/{handler}`,
      // What is counted is the run's, not that of the sweep, the roll-up and Bull's timers.
      SERVICE_TIMING__REDIS__DELAYED_CHECK_MS: '3600000',
      SERVICE_TIMING__REDIS__STALLED_CHECK_MS: '3600000',
      SERVICE_TIMING__RUNS__SWEEP_MS: '3600000',
      SERVICE_TIMING__RUNS__STATS_PENDING_SECS: '3600',
    });
  });

  afterAll(async () => {
    await service.stop();
    handler.close();
    await environment.dispose();
  });

  async function register(): Promise<Client> {
    const { client } = await signUpOwner(service.url);
    await registerJobs(client, { echo: {} });
    return client;
  }

  async function reached(id: string, status: string): Promise<void> {
    await until(async () => {
      const [run] = await environment.database.query<{ status: string }>(
        'SELECT status FROM runs WHERE id = $1',
        [id],
      );
      return run?.status === status;
    });
  }

  async function ended(count: number): Promise<void> {
    await until(async () => {
      const found = await environment.database.query(`SELECT FROM runs WHERE status = 'completed'`);
      return found.length === count;
    });
  }

  it('takes a run from its trigger to its end with two statements, two commits and no Redis command when alone', async () => {
    const client = await register();
    await trigger(client, 'echo');
    await ended(1);
    let statements: string[] = [];
    const commands = await redisCommandsOf(environment.redis.client, async () => {
      statements = await service.statementsOf(async () => {
        await trigger(client, 'echo');
        await ended(2);
      });
    });
    const [accepted, finished] = statements.filter(isOfRun);
    expect(accepted).toContain('INSERT INTO runs_active');
    expect(finished).toContain('exchange_runs_1');
    expect(statements.filter(isOfRun)).toHaveLength(2);
    // Each is its own transaction.
    expect(statements.filter((sql) => /^(?:START|BEGIN|COMMIT)/.test(sql))).toEqual([]);
    expect(queueCommands(commands)).toBe(0);
  });

  it('takes as much beside a retry that is not due, and wakes no worker beside a run that is delayed', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    const later = { type: 'exponential', initial_ms: 3_600_000, max_ms: 3_600_000, multiplier: 1 };
    await registerJobs(client, { echo: {}, gone: { retries: 1, retry_backoff: later } });
    const { id } = await trigger(client, 'gone');
    await reached(id, 'retrying');
    const alone = async (): Promise<{ statements: string[]; commands: number }> => {
      let statements: string[] = [];
      const commands = await redisCommandsOf(environment.redis.client, async () => {
        statements = await service.statementsOf(async () => {
          const run = await trigger(client, 'echo');
          await reached(run.id, 'completed');
        });
      });
      return { statements: statements.filter(isOfRun), commands: queueCommands(commands) };
    };
    await alone();
    const besideRetry = await alone();
    expect(besideRetry.statements).toHaveLength(2);
    expect(besideRetry.statements[0]).toContain('INSERT INTO runs_active');
    expect(besideRetry.commands).toBe(0);
    await trigger(client, 'echo', { delay_ms: 3_600_000 });
    const besideDelayed = await alone();
    // The delayed one counts against the quota of waiting runs, with which the exchange compares.
    expect(besideDelayed.statements).toHaveLength(3);
    expect(besideDelayed.commands).toBe(0);
    expect(
      await environment.database.query('SELECT FROM runs_active WHERE tenant_id = $1', [orgId]),
    ).toHaveLength(2);
  });
});
