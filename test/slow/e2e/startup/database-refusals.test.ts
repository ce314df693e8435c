import pg from 'pg';
import { runCli } from '../cli/run-cli.js';
import { ConfigurablePostgres } from '../../support/configurable-postgres.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { PgBouncer } from '../../support/pgbouncer.js';
import { ServiceProcess } from '../../../support/service-process.js';

let environment: TestEnvironment;
let postgres: ConfigurablePostgres;

beforeAll(async () => {
  environment = await createEnvironment();
  postgres = await ConfigurablePostgres.start();
  await postgres.query("CREATE ROLE plain LOGIN PASSWORD 'plain'");
  await postgres.query('CREATE DATABASE plain OWNER plain');
});

afterAll(async () => {
  await postgres.dispose();
  await environment.dispose();
});

/** The URL of the account that owns an empty database, changed. */
function urlWith(change: (url: URL) => void): string {
  const url = new URL(postgres.url);
  url.username = 'plain';
  url.password = 'plain';
  url.pathname = '/plain';
  change(url);
  return url.toString();
}

/** What a start says on this database, whose only line it must be. */
async function refusalOf(databaseUrl: string): Promise<string> {
  const service = ServiceProcess.spawn({ ...environment.variables, SERVICE_DATABASE__URL: databaseUrl });
  expect(await service.exit()).toBe(78);
  expect(service.log).not.toMatch(/^\s+at /m);
  const said = service.log.split('\n').filter((line) => line.startsWith('The program cannot start: '));
  expect(said).toHaveLength(1);
  return said[0] ?? '';
}

describe('a start on a database that refuses the program', () => {
  afterEach(async () => {
    await postgres.setRules(['host all all 127.0.0.1/32 scram-sha-256']);
  });

  it('for want of a password in the URL says where it belongs', async () => {
    const url = urlWith((each) => (each.password = ''));
    expect(await refusalOf(url)).toContain(
      'requires a password for the account "plain"; add it to database.url',
    );
  });

  it('by pg_hba.conf names the account and the file', async () => {
    await postgres.setRules([
      'host all service 127.0.0.1/32 scram-sha-256',
      'host all plain 127.0.0.1/32 reject',
    ]);
    const refusal = await refusalOf(urlWith(() => undefined));
    expect(refusal).toContain(
      'does not allow the account "plain" to connect: pg_hba.conf rejects connection',
    );
    expect(refusal).toContain('allow the account in pg_hba.conf');
  });

  it('that does not come by TLS says how to ask for it', async () => {
    await postgres.setRules(['hostssl all all 127.0.0.1/32 scram-sha-256']);
    expect(await refusalOf(urlWith(() => undefined))).toContain('add ?sslmode=verify-full to database.url');
  });

  it('since it is read-only by a setting of the account says which setting to turn off', async () => {
    await postgres.query('ALTER ROLE plain SET default_transaction_read_only = on');
    const refusal = await refusalOf(urlWith(() => undefined));
    await postgres.query('ALTER ROLE plain RESET default_transaction_read_only');
    expect(refusal).toContain(
      'the database "plain" is read-only: default_transaction_read_only is on for the server, the database or the account "plain"',
    );
  });

  it('for a file of authorities that is not there names the file', async () => {
    const url = urlWith((each) => (each.search = '?sslmode=verify-full&sslrootcert=/nowhere/authority.pem'));
    expect(await refusalOf(url)).toMatch(
      /cannot be read \(.*\/nowhere\/authority\.pem.*\); correct the path or/,
    );
  });

  it('for options of the URL that it does not take names the setting, and ends', async () => {
    const refusal = await refusalOf(urlWith((each) => (each.search = '?options=--bogus')));
    expect(refusal).toContain('refuses the options of database.url (SERVICE_DATABASE__URL): --bogus');
  });

  // With three, it depends on the machine how far it comes: a worker may have started, too, and is stopped.
  it.each([2, 3])(
    'once it has migrated, for want of more than %i connections, says what to raise',
    async (limit) => {
      await postgres.query(`ALTER ROLE plain CONNECTION LIMIT ${limit}`);
      const refusal = await refusalOf(urlWith(() => undefined));
      await postgres.query('ALTER ROLE plain CONNECTION LIMIT -1');
      expect(refusal).toContain('has no free connection for the program');
      expect(refusal).toContain('raise max_connections or the CONNECTION LIMIT');
    },
  );
});

describe('a start on a database whose schema of this name is of somebody else', () => {
  it('and has nothing but a function in SQL says so, and ends', async () => {
    await postgres.query('CREATE DATABASE functional OWNER plain');
    const url = urlWith((each) => (each.pathname = '/functional'));
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('CREATE SCHEMA service');
    await client.query("CREATE FUNCTION service.one() RETURNS int LANGUAGE sql AS 'SELECT 1'");
    await client.end();
    expect(await refusalOf(url)).toContain('database.schema');
  });
});

describe('a start that a minute of waiting does not help', () => {
  it('for a host that is not there, or a server without a connection to spare, says so and exits 78', async () => {
    await postgres.query("CREATE ROLE full_up LOGIN PASSWORD 'plain' CONNECTION LIMIT 0");
    const [nowhere, fullUp] = await Promise.all([
      refusalOf(urlWith((url) => (url.hostname = 'no-such-host.invalid'))),
      refusalOf(urlWith((url) => (url.username = 'full_up'))),
    ]);
    expect(nowhere).toContain('the host of no-such-host.invalid:');
    expect(fullUp).toContain('too many connections for role "full_up"');
  });
});

describe('a start through PgBouncer', () => {
  let pooler: PgBouncer;

  beforeAll(async () => {
    pooler = await PgBouncer.start(
      urlWith(() => undefined),
      'session',
    );
  });

  afterAll(async () => {
    await pooler.stop();
  });

  it('to a database that it does not know is refused at once, though PgBouncer gives the code of a broken protocol', async () => {
    const url = new URL(pooler.url);
    url.pathname = '/nowhere';
    expect(await refusalOf(url.toString())).toContain('has no database "nowhere"; create the database');
  });

  it('with a password that it does not take is refused at once', async () => {
    const url = new URL(pooler.url);
    url.password = 'wrong';
    expect(await refusalOf(url.toString())).toContain('refused the password of the account "plain"');
  });

  it('with a parameter that it does not pass on names the parameter and the setting of PgBouncer', async () => {
    const refusal = await refusalOf(`${pooler.url}?options=-c%20statement_timeout%3D5s`);
    expect(refusal).toContain('unsupported startup parameter: options');
    expect(refusal).toContain('ignore_startup_parameters');
  });
});

describe('a command of the operator on a database that refuses it', () => {
  it.each([['migrate'], ['keys list']])(
    'says in one line what to do, and exits 78: servicectl %s',
    async (command) => {
      const url = urlWith((each) => (each.password = 'wrong'));
      const { code, stdout, stderr } = await runCli(command.split(' '), {
        ...environment.variables,
        SERVICE_DATABASE__URL: url,
      });
      expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
      expect(stderr).toMatch(
        /^error: PostgreSQL at 127\.0\.0\.1:\d+ refused the password of the account "plain"; correct database\.url \(SERVICE_DATABASE__URL\)\n$/,
      );
    },
  );

  it('names the pool mode to set where PgBouncer would keep the lock of its migrations', async () => {
    const pooler = await PgBouncer.start(
      urlWith(() => undefined),
      'transaction',
    );
    const variables = { ...environment.variables, SERVICE_DATABASE__URL: pooler.url };
    const { code, stderr } = await runCli(['migrate'], variables);
    expect({ code, stderr }).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('set pool_mode = session') as string,
    });
    await pooler.stop();
  });
});
