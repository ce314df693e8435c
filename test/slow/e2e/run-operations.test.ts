import pg from 'pg';
import { signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { answer, HandlerServer } from '../../support/handler-server.js';
import { registerJobs } from '../../support/runs.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

/** Runs of each job: two transactions of the operation. */
const HALF = 100;

describe('an operation on runs with two instances', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let services: ServiceProcess[];
  let variables: Record<string, string>;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    variables = { ...environment.variables, ...handlers.variables };
    services = [await ServiceProcess.start(variables), await ServiceProcess.start(variables)];
  });

  afterAll(async () => {
    for (const service of services) await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  it('retries each run exactly once although both are killed in the middle of it', async () => {
    const { client, orgId } = await signUpOwner(services[0]?.url ?? '');
    for (const job of ['first', 'second']) handlers.on(job, answer(200));
    await registerJobs(client, { first: {}, second: {} });
    await environment.database.query(
      `INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff, max_attempts,
                         due_at, completed_at)
       SELECT 'run_01' || lpad(n::text, 24, '0'), $1, CASE WHEN n <= $2 THEN 'first' ELSE 'second' END, 'failed',
              '{"type":"cron"}', '{}', 'h', 1000, '{}', 1, now(), now() FROM generate_series(1, 2 * $2::int) n`,
      [orgId, HALF],
    );
    const blocker = new pg.Client({ connectionString: environment.database.url });
    await blocker.connect();
    // The operation begins with the oldest runs, and waits for this lock when it comes to those of the second job.
    await blocker.query('BEGIN');
    await blocker.query(`SELECT FROM jobs WHERE tenant_id = $1 AND id = 'second' FOR UPDATE`, [orgId]);
    const begun = await client.post<{ operation_id: string }>('/jobs/v1/runs/bulk', {
      action: 'retry',
      filter: { status: 'failed' },
    });
    expect(begun).toMatchObject({ status: 202, body: { matched: 2 * HALF } });
    const { operation_id: id } = begun.body;
    const done = async (): Promise<number | undefined> => {
      const [found] = await environment.database.query<{ done: number }>(
        'SELECT done FROM run_operations WHERE id = $1',
        [id],
      );
      return found?.done;
    };
    const isBlocked = async (): Promise<boolean> =>
      (await environment.database.query('SELECT FROM pg_locks WHERE NOT granted')).length > 0;
    await until(async () => (await done()) === HALF && (await isBlocked()), 30_000);

    for (const service of services) await service.stop('SIGKILL');
    await blocker.query('ROLLBACK');
    await blocker.end();
    expect(await done()).toBe(HALF);
    const restarted = await ServiceProcess.start(variables);
    services = [restarted];
    await until(async () => (await done()) === 2 * HALF, 60_000);

    const { body: operation } = await client.at(restarted.url ?? '').get(`/jobs/v1/operations/${id}`);
    expect(operation).toMatchObject({ total: 2 * HALF, done: 2 * HALF, failed: 0, errors: {} });
    const [counted] = await environment.database.query(
      `SELECT count(*)::int AS retries, count(DISTINCT retry_of)::int AS retried FROM runs
       WHERE tenant_id = $1 AND retry_of IS NOT NULL`,
      [orgId],
    );
    expect(counted).toEqual({ retries: 2 * HALF, retried: 2 * HALF });
  });
});
