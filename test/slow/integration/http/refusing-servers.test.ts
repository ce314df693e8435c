import type pg from 'pg';
import { Client, signUpOwner } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { HandlerServer } from '../../../support/handler-server.js';
import { endedRun, registerJobs, trigger } from '../../../support/runs.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';
import { until } from '../../../support/until.js';
import { connect } from '../../../integration/data-events/watched.js';

interface HealthBody {
  readonly status: string;
  readonly checks: Record<string, string>;
  readonly problems?: Record<string, string>;
}

describe('a server that answers and refuses to work', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let client: Client;
  let admin: pg.Client;
  let name: string;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([
      createEnvironment({ redis: 'server' }),
      HandlerServer.start(),
    ]);
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceInProcess.start({
      ...variables,
      SERVICE_JOBS__SCHEDULER_INTERVAL_MS: '100',
      // How long each state is told, and what counts as silence, which the gate makes long.
      SERVICE_TIMING__HEALTH__REFUSED_LATELY_MS: '1000',
      SERVICE_TIMING__REDIS__ANSWER_LIMIT_MS: '2000',
      SERVICE_TIMING__REDIS__ADD_LIMIT_MS: '1000',
      SERVICE_TIMING__REDIS__SILENCE_LIMIT_MS: '2000',
    });
    ({ client } = await signUpOwner(service.url));
    await registerJobs(client, { job: {} });
    admin = await connect(environment.database.url);
    name = decodeURIComponent(new URL(environment.database.url).pathname.slice(1));
  });

  afterAll(async () => {
    await admin.end();
    await service.stop();
    await Promise.all([handlers.stop(), environment.dispose()]);
  });

  /** Ends the connections of the program, as a failover does. */
  async function endConnections(): Promise<void> {
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  }

  /** As `/health` gives it. */
  async function health(): Promise<HealthBody> {
    return (await new Client(service.url).get<HealthBody>('/health')).body;
  }

  async function isReady(): Promise<boolean> {
    return (await new Client(service.url).get('/health/ready')).status === 200;
  }

  async function untilDown(server: 'postgres' | 'redis', reason: RegExp): Promise<void> {
    let seen = '';
    await until(
      async () => {
        const { checks, problems } = await health();
        seen = `${checks[server] ?? ''}, ${problems?.[server] ?? ''}, ${String(await isReady())}`;
        return checks[server] === 'down' && reason.test(problems?.[server] ?? '') && !(await isReady());
      },
      undefined,
      () => seen,
    );
  }

  async function untilWell(): Promise<void> {
    let seen = '';
    await until(
      async () => {
        const body = await health();
        seen = JSON.stringify(body);
        return body.status === 'ok' && body.problems === undefined && (await isReady());
      },
      undefined,
      () => seen,
    );
  }

  /** A run that waits, and that Redis wakes. */
  async function waitingRun(): Promise<string> {
    return (await trigger(client, 'job', { delay_ms: 2000 })).id;
  }

  async function triggerRefused(): Promise<void> {
    let seen = '';
    await until(
      async () => {
        const { status, headers, body } = await client.post<{ error?: { code: string } }>(
          '/jobs/v1/jobs/job/trigger',
        );
        seen = `${status} ${body.error?.code ?? ''}, after ${headers.get('retry-after') ?? ''}`;
        return status !== 202;
      },
      undefined,
      () => seen,
    );
    expect(seen).toBe('503 unavailable, after 1');
  }

  it('counts as down where PostgreSQL is read-only: 503 until it is not, and then everything goes on', async () => {
    const id = await waitingRun();
    await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await endConnections();
    await triggerRefused();
    await untilDown('postgres', /takes no writes: it is a standby, or default_transaction_read_only is on/);
    expect((await health()).status).toBe('down');
    await admin.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await untilWell();
    expect(await endedRun(client, id)).toMatchObject({ status: 'completed' });
    expect(await endedRun(client, (await trigger(client, 'job')).id)).toMatchObject({ status: 'completed' });
  });

  it('counts as down where a connection that PostgreSQL keeps becomes read-only, which is not used again', async () => {
    const id = await waitingRun();
    // Only the table that the program writes to all the time, and only for as long as the trigger is there.
    await admin.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'cannot execute in a read-only transaction' USING ERRCODE = '25006'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON runs_active EXECUTE FUNCTION refuse()`);
    const programs = async (): Promise<number[]> => {
      const found = await admin.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'service'`,
      );
      return found.rows.map(({ pid }) => pid);
    };
    const before = await programs();
    await triggerRefused();
    await until(async () => (await programs()).every((pid) => !before.includes(pid)));
    await admin.query('DROP FUNCTION refuse CASCADE');
    await untilWell();
    expect(await endedRun(client, id)).toMatchObject({ status: 'completed' });
  });

  it.each([
    ['53100', 'its disk is full'],
    ['42501', 'denies the account a permission'],
    ['58030', 'cannot read or write its files'],
    ['53200', 'lacks memory'],
  ])('counts as down where PostgreSQL refuses writes with %s: %s', async (code, reason) => {
    await admin.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${code}'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON instances EXECUTE FUNCTION refuse();
      CREATE TRIGGER refuse BEFORE INSERT ON runs_active EXECUTE FUNCTION refuse()`);
    await triggerRefused();
    await untilDown('postgres', new RegExp(reason));
    await admin.query('DROP FUNCTION refuse CASCADE');
    await untilWell();
  });

  it('counts as down where Redis has become a replica; its connections are made anew, and the queue goes on', async () => {
    const { client: redis } = environment.redis;
    const connections = async (): Promise<string[]> =>
      String(await redis.client('LIST'))
        .split('\n')
        .filter((line) => line.includes(' name=service '))
        .map((line) => /^id=(\d+)/.exec(line)?.[1] ?? '');
    const id = await waitingRun();
    const before = await connections();
    await redis.replicaof('127.0.0.1', 1);
    // Accepted, and begun where Redis is not needed for it.
    const meanwhile = await trigger(client, 'job');
    await untilDown('redis', /takes no writes: it is a replica/);
    expect((await health()).status).toBe('degraded');
    expect(await endedRun(client, meanwhile.id)).toMatchObject({ status: 'completed' });
    await redis.replicaof('NO', 'ONE');
    await untilWell();
    expect((await connections()).filter((connection) => before.includes(connection))).toEqual([]);
    expect(await endedRun(client, id)).toMatchObject({ status: 'completed' });
    const after = await waitingRun();
    expect(await endedRun(client, after)).toMatchObject({ status: 'completed' });
  });

  it.each<[string, RegExp, string[], string[]]>([
    [
      'has no memory left',
      /maxmemory/,
      ['CONFIG', 'SET', 'maxmemory', '1'],
      ['CONFIG', 'SET', 'maxmemory', '0'],
    ],
    [
      'has too few replicas',
      /min-replicas-to-write/,
      ['CONFIG', 'SET', 'min-replicas-to-write', '1'],
      ['CONFIG', 'SET', 'min-replicas-to-write', '0'],
    ],
    [
      'denies scripts',
      /denies the account/,
      ['ACL', 'SETUSER', 'default', '-@scripting'],
      ['ACL', 'SETUSER', 'default', '+@all'],
    ],
    ['pauses writes', /does not answer/, ['CLIENT', 'PAUSE', '600000', 'WRITE'], ['CLIENT', 'UNPAUSE']],
    [
      'may evict keys',
      /evict/,
      ['CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru'],
      ['CONFIG', 'SET', 'maxmemory-policy', 'noeviction'],
    ],
  ])(
    'counts as down where Redis %s, until it works again, and the queue goes on',
    async (_what, reason, fail, mend) => {
      const { client: redis } = environment.redis;
      const id = await waitingRun();
      await redis.call(...(fail as [string, ...string[]]));
      const meanwhile = await trigger(client, 'job');
      await untilDown('redis', reason);
      expect(await endedRun(client, meanwhile.id)).toMatchObject({ status: 'completed' });
      await redis.call(...(mend as [string, ...string[]]));
      await untilWell();
      expect(await endedRun(client, id)).toMatchObject({ status: 'completed' });
      expect(await endedRun(client, await waitingRun())).toMatchObject({ status: 'completed' });
    },
  );

  it('counts as down where the password of Redis was changed, until it is that of the program again', async () => {
    const { client: redis } = environment.redis;
    const id = await waitingRun();
    await redis.config('SET', 'requirepass', 'another');
    // The connection of the test is signed in, and stays so.
    await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await untilDown('redis', /refuses the account or its password/);
    await redis.config('SET', 'requirepass', new URL(environment.redis.url).password);
    await untilWell();
    expect(await endedRun(client, id)).toMatchObject({ status: 'completed' });
  });
});
