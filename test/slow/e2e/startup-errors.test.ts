import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import pg from 'pg';
import type { AddressInfo } from 'node:net';
import { signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { fetch } from '../../support/fetch.js';
import { registerJobs, showRun, triggerMany } from '../../support/runs.js';
import { PgBouncer } from '../support/pgbouncer.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';
import { PROMPTLY_MS } from '../promptly.js';

describe('a start that cannot be', () => {
  let environment: TestEnvironment;

  beforeAll(async () => {
    environment = await createEnvironment();
  });

  afterAll(async () => {
    await environment.dispose();
  });

  it('for five faults of the configuration names all five, echoes no secret, and exits 78', async () => {
    const secret = randomBytes(20).toString('hex');
    const service = ServiceProcess.spawn({
      ...environment.variables,
      SERVICE_SERVER__PORT: 'eighty',
      SERVICE_JOBS__WORKER_COUNT: '0',
      SERVICE_JOBS__WORKER_COUNTS: '4',
      SERVICE_IDENTITY__DATA_KEY: secret,
      SERVICE_REDIS__URL: `http://:${secret}@127.0.0.1/`,
    });
    expect(await service.exit()).toBe(78);
    const lines = service.log.trim().split('\n');
    const faults = [
      'server.port',
      'jobs.worker_count',
      'jobs.worker_counts',
      'identity.data_key',
      'redis.url',
    ];
    for (const fault of faults) {
      expect(lines.filter((line) => line.startsWith(`${fault}: `))).toHaveLength(1);
    }
    expect(lines).toHaveLength(1 + faults.length);
    expect(service.log).not.toContain(secret);
    expect(service.url).toBeNull();
  });

  it('with another data key than the database was first used with says so, and exits 1', async () => {
    const first = await ServiceProcess.start(environment.variables);
    await first.stop();
    const other = randomBytes(32).toString('base64');
    const second = ServiceProcess.spawn({ ...environment.variables, SERVICE_IDENTITY__DATA_KEY: other });
    expect(await second.exit()).toBe(1);
    expect(second.log).toContain('identity.data_key');
    expect(second.log).toContain('start with the data key that the database was first used with');
    expect(second.log).toContain('identity.data_key_previous');
    expect(second.log).not.toContain(other);
    expect(second.log).not.toMatch(/^\s+at /m);
    expect(second.url).toBeNull();

    const third = await ServiceProcess.start({
      ...environment.variables,
      SERVICE_IDENTITY__DATA_KEY: other,
      SERVICE_IDENTITY__DATA_KEY_PREVIOUS: environment.variables.SERVICE_IDENTITY__DATA_KEY ?? '',
    });
    expect(await third.stop()).toBe(0);
  });

  it('on a port that is taken says so, and exits 1', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const { port } = occupant.address() as AddressInfo;
    const service = ServiceProcess.spawn({ ...environment.variables, SERVICE_SERVER__PORT: String(port) });
    expect(await service.exit()).toBe(1);
    expect(service.log).toContain(`port ${port} of 127.0.0.1 is in use`);
    expect(service.log).not.toMatch(/^\s+at /m);
    occupant.close();
  });

  it('on a port that is taken has taken no run by then, nor been a worker to anyone', async () => {
    const api = await ServiceProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    await environment.deploy('echo', 'export default () => new Response()');
    const { client } = await signUpOwner(api.url ?? '');
    await registerJobs(client, { echo: {} });
    const ids = await triggerMany(client, 'echo', 20);
    const service = ServiceProcess.spawn({
      ...environment.variables,
      SERVICE_SERVER__PORT: new URL(api.url ?? '').port,
    });
    expect(await service.exit()).toBe(1);
    for (const id of ids) expect(await showRun(client, id)).toMatchObject({ status: 'queued', attempt: 0 });
    expect(await environment.database.query('SELECT FROM workers')).toEqual([]);
    await api.stop();
  });

  const refusals: [string, (url: URL) => void, RegExp][] = [
    [
      'with a wrong password of the database',
      (url) => (url.password = 'wrong'),
      /refused the password of the account ".+"; correct database\.url/,
    ],
    [
      'with a database that does not exist',
      (url) => (url.pathname = '/nowhere'),
      /has no database "nowhere"; create the database/,
    ],
    [
      'with TLS that the database does not offer',
      (url) => (url.search = '?sslmode=require'),
      /does not offer TLS, which database\.url .* requires/,
    ],
  ];
  it.each(refusals)('%s says what to do, without a stack, and exits 78', async (_title, change, message) => {
    const url = new URL(environment.database.url);
    change(url);
    const service = ServiceProcess.spawn({ ...environment.variables, SERVICE_DATABASE__URL: url.toString() });
    expect(await service.exit()).toBe(78);
    expect(service.log).toMatch(message);
    expect(service.log).not.toMatch(/^\s+at /m);
  });

  it('with an account that may create nothing in the database names the statement that helps, and exits 78', async () => {
    const account = `reader_${randomBytes(4).toString('hex')}`;
    const url = new URL(environment.database.url);
    const empty = `empty_${randomBytes(4).toString('hex')}`;
    await environment.database.query(`CREATE ROLE ${account} LOGIN PASSWORD 'reader'`);
    await environment.database.query(`CREATE DATABASE ${empty}`);
    url.username = account;
    url.password = 'reader';
    url.pathname = `/${empty}`;
    const service = ServiceProcess.spawn({ ...environment.variables, SERVICE_DATABASE__URL: url.toString() });
    expect(await service.exit()).toBe(78);
    expect(service.log).toContain(`ALTER DATABASE "${empty}" OWNER TO "${account}"`);
    await environment.database.query(`DROP DATABASE ${empty} WITH (FORCE)`);
    await environment.database.query(`DROP ROLE ${account}`);
  });

  it('with a wrong Redis password says so, and exits 78', async () => {
    const url = new URL(environment.variables.SERVICE_REDIS__URL ?? '');
    url.password = 'wrong';
    const service = ServiceProcess.spawn({ ...environment.variables, SERVICE_REDIS__URL: url.toString() });
    expect(await service.exit()).toBe(78);
    expect(service.log).toContain('refused the user name or the password; correct redis.url');
    expect(service.log).not.toMatch(/^\s+at /m);
  });

  it('through PgBouncer in transaction mode names the mode to set, and exits 78', async () => {
    const pooler = await PgBouncer.start(environment.database.url, 'transaction');
    const service = ServiceProcess.spawn({ ...environment.variables, SERVICE_DATABASE__URL: pooler.url });
    expect(await service.exit()).toBe(78);
    expect(service.log).toContain('set pool_mode = session');
    await pooler.stop();
  });

  it('ends at once on SIGTERM while it waits for the database, after saying what it waits for', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = new URL(environment.database.url);
    url.port = String((silent.address() as AddressInfo).port);
    const service = ServiceProcess.spawn({ ...environment.variables, SERVICE_DATABASE__URL: url.toString() });
    await until(() => service.log.includes(`waiting for PostgreSQL at 127.0.0.1:${url.port} to answer`));
    const signalledAt = performance.now();
    expect(await service.stop()).toBe(0);
    // Waiting out the database would take a minute.
    expect(performance.now() - signalledAt).toBeLessThan(20_000);
    silent.close();
  });

  it('ends at once on SIGTERM while another instance migrates, after saying so', async () => {
    const other = new pg.Client({ connectionString: environment.database.url });
    await other.connect();
    await other.query(`SELECT pg_advisory_lock(7316001, hashtext('service'))`);
    const service = ServiceProcess.spawn(environment.variables);
    await until(() => service.log.includes('waiting for the migrations of another instance to finish'));
    expect(await service.stop()).toBe(0);
    expect(service.url).toBeNull();
    await other.end();
  });
});

describe('a start through PgBouncer in session mode', () => {
  it('serves, and a user who is disabled is refused within a second', async () => {
    const environment = await createEnvironment();
    const pooler = await PgBouncer.start(environment.database.url, 'session');
    const service = await ServiceProcess.start({
      ...environment.variables,
      SERVICE_DATABASE__URL: pooler.url,
      SERVICE_ADMIN__TOKEN: 'operator',
    });
    const { client, userId } = await signUpOwner(service.url ?? '');
    const operator = { authorization: 'Bearer operator', 'content-type': 'application/json' };
    const answer = await fetch(`${service.url}/admin/v1/users/${userId}`, {
      method: 'PATCH',
      headers: operator,
      body: JSON.stringify({ disabled: true }),
    });
    expect(answer.status).toBe(200);
    await until(async () => (await client.get('/auth/v1/user')).status === 401, PROMPTLY_MS);
    expect(await service.stop()).toBe(0);
    await pooler.stop();
    await environment.dispose();
  });
});
