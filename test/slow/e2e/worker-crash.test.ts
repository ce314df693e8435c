import { signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { answer, HandlerServer } from '../../support/handler-server.js';
import { endedRun, makeDue, registerJobs, trigger, triggerMany } from '../../support/runs.js';
import { PostgresProxy } from '../../support/postgres-proxy.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';
import { slow } from '../slow-handler.js';

/** The name of the prepared statement that claims runs. A connection sends its text only the first time. */
const CLAIMS = 'exchange_runs';
/** The name of the prepared statement that accepts a run which begins at once. */
const ACCEPTS = 'begin_run';

/** Noticed within 15 s, and some for the start and the call. */
const RECOVERY_MS = 20_000;

describe('a program that is killed', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceProcess;
  let variables: Record<string, string>;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    variables = { ...environment.variables, ...handlers.variables, SERVICE_JOBS__WORKER_COUNT: '6' };
    service = await ServiceProcess.start(variables);
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  it('has its runs completed by the next start, at the cost of no retry', async () => {
    const owner = await signUpOwner(service.url ?? '');
    handlers.on('interrupted', (response, nth, call) => {
      if (nth > 1) answer(200, { nth })(response, nth, call);
    });
    await registerJobs(owner.client, { interrupted: { retries: 0 } });
    const ids = await triggerMany(owner.client, 'interrupted', 3);
    const fifthTime = await trigger(owner.client, 'interrupted');
    await environment.database.query('UPDATE runs SET losses = 4 WHERE id = $1', [fifthTime.id]);
    await until(() => handlers.runIdsOf('interrupted').length === 4);

    await service.stop('SIGKILL');
    service = await ServiceProcess.start(variables);
    const client = owner.client.at(service.url ?? '');
    for (const id of ids) {
      const ended = await endedRun(client, id, RECOVERY_MS);
      expect(ended).toMatchObject({ status: 'completed', attempt: 2, max_attempts: 1, result: { nth: 2 } });
      expect(ended.attempts).toMatchObject([{ outcome: 'lost' }, { outcome: 'completed' }]);
      expect(handlers.callsOf(id).map((call) => call.headers['idempotency-key'])).toEqual([id, id]);
    }
    const kept = await environment.database.query(
      'SELECT DISTINCT failures, losses FROM runs WHERE id = ANY ($1)',
      [ids],
    );
    expect(kept).toEqual([{ failures: 0, losses: 1 }]);
    expect(await endedRun(client, fifthTime.id)).toMatchObject({
      status: 'failed',
      error: { code: 'worker_lost' },
      attempts: [{ outcome: 'lost' }],
    });
    expect(handlers.callsOf(fifthTime.id)).toHaveLength(1);
  });
});

describe('a database that cuts every connection', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let proxy: PostgresProxy;
  let service: ServiceProcess;
  let client: Client;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    proxy = await PostgresProxy.start(environment.database.url);
    service = await ServiceProcess.start({
      ...environment.variables,
      ...handlers.variables,
      SERVICE_DATABASE__URL: proxy.url,
    });
    ({ client } = await signUpOwner(service.url ?? ''));
  });

  afterAll(async () => {
    await service.stop();
    await proxy.stop();
    await handlers.stop();
    await environment.dispose();
  });

  async function cutConnections(): Promise<void> {
    await environment.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  }

  it('costs no run its end, and no retry', async () => {
    handlers.on('steady', slow(150));
    await registerJobs(client, { steady: { retries: 0 } });
    const ids = await triggerMany(client, 'steady', 30);
    for (const reached of [4, 10, 16, 22, 28]) {
      await until(() => handlers.runIdsOf('steady').length >= reached);
      await cutConnections();
    }
    await until(async () => {
      const [left] = await environment.database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM runs WHERE status <> 'completed'`,
      );
      return left?.count === 0;
    }, 30_000);
    const kept = await environment.database.query('SELECT DISTINCT failures FROM runs');
    expect(kept).toEqual([{ failures: 0 }]);
    expect(new Set(handlers.runIdsOf('steady'))).toEqual(new Set(ids));
    const slots = await environment.database.query('SELECT running FROM tenant_queues');
    expect(slots).toEqual([{ running: 0 }]);
  });

  it('leaves the program serving', async () => {
    await cutConnections();
    await until(async () => (await client.get('/health')).status === 200);
    expect(await signUpOwner(service.url ?? '')).toMatchObject({ slug: expect.any(String) });
  });

  it('in the moment in which it has claimed a run leaves it to be called all the same, at the cost of no retry', async () => {
    await registerJobs(client, { claimed: { retries: 0 } });
    // It is accepted by the same statement as it is claimed by, but long before.
    const { id } = await trigger(client, 'claimed', { delay_ms: 3_600_000 });
    const isLost = proxy.lose('answer', CLAIMS);
    await makeDue(environment.database, [id]);
    await isLost;
    expect(await endedRun(client, id, RECOVERY_MS)).toMatchObject({
      status: 'completed',
      attempt: 1,
      attempts: [{ outcome: 'completed' }],
    });
    expect(handlers.callsOf(id)).toHaveLength(1);
  });

  it('in the moment in which it has accepted and claimed a run leaves it to be called once, although nobody knows its id', async () => {
    await registerJobs(client, { accepted: { retries: 0 } });
    const isLost = proxy.lose('answer', ACCEPTS);
    const { status } = await client.post('/jobs/v1/jobs/accepted/trigger');
    await isLost;
    expect(status).toBe(503);
    const stored = async (): Promise<Record<string, unknown>[]> =>
      await environment.database.query(
        `SELECT status, attempt, losses FROM runs WHERE job_id = 'accepted' AND status <> 'running'`,
      );
    await until(async () => (await stored()).length === 1, RECOVERY_MS);
    expect(await stored()).toEqual([{ status: 'completed', attempt: 1, losses: 0 }]);
    expect(handlers.runIdsOf('accepted')).toHaveLength(1);
  });

  it('and the death of the process in that moment leave the run to another worker, which calls it once', async () => {
    const dying = await ServiceProcess.start({
      ...environment.variables,
      ...handlers.variables,
      SERVICE_DATABASE__URL: proxy.url,
    });
    await registerJobs(client, { orphaned: { retries: 0 } });
    const isLost = proxy.lose('answer', ACCEPTS);
    const triggering = client.at(dying.url ?? '').post('/jobs/v1/jobs/orphaned/trigger');
    await isLost;
    await dying.stop('SIGKILL');
    await triggering.catch(() => undefined);
    const stored = async (): Promise<Record<string, unknown>[]> =>
      await environment.database.query(
        `SELECT attempt, losses, failures FROM runs WHERE job_id = 'orphaned' AND status = 'completed'`,
      );
    await until(async () => (await stored()).length === 1, RECOVERY_MS);
    expect(await stored()).toEqual([{ attempt: 2, losses: 1, failures: 0 }]);
    expect(handlers.runIdsOf('orphaned')).toHaveLength(1);
  });

  it('that no longer answers makes /health answer 503, while the process stays live', async () => {
    await until(async () => (await client.get('/health')).body.status === 'ok');
    proxy.hang();
    try {
      // An answer of the database is good for a while (timing.health.probe_ms).
      await until(async () => (await client.get('/health')).status === 503);
      expect((await client.get('/health')).body).toMatchObject({
        status: 'down',
        capabilities: { auth: 'down', jobs: 'down' },
        checks: { postgres: 'down', redis: 'ok' },
      });
      expect((await client.get('/health/live')).status).toBe(200);
    } finally {
      proxy.goOn();
    }
    await until(async () => (await client.get('/health')).body.status === 'ok');
  });
});
