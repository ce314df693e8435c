import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { DataSource } from 'typeorm';
import { clientFor, dataSourceOptions, migrate, migrateNow } from '../../../src/platform/database/index.js';
import { signUpOwner } from '../../support/client.js';
import { SCHEMA, createEmptyDatabase } from '../../support/database.js';
import type { TestDatabase } from '../../support/database.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { endedRun, registerJobs, triggerMany } from '../../support/runs.js';
import { ServiceProcess } from '../../support/service-process.js';

/** What somebody has set for other programs, and what the connections of this one have. */
const SETTINGS: readonly (readonly [name: string, foreign: string, ours: string])[] = [
  ['array_nulls', 'off', 'on'],
  ['bytea_output', 'escape', 'hex'],
  ['check_function_bodies', 'off', 'on'],
  ['client_encoding', 'LATIN1', 'UTF8'],
  ['client_min_messages', 'error', 'notice'],
  ['datestyle', 'German', 'ISO, YMD'],
  ['default_transaction_deferrable', 'on', 'off'],
  ['default_transaction_isolation', 'serializable', 'read committed'],
  ['extra_float_digits', '-15', '1'],
  ['gin_fuzzy_search_limit', '1', '0'],
  ['idle_in_transaction_session_timeout', '10min', '1min'],
  ['idle_session_timeout', '10min', '0'],
  ['intervalstyle', 'iso_8601', 'postgres'],
  ['lock_timeout', '10min', '0'],
  ['quote_all_identifiers', 'on', 'off'],
  ['search_path', 'nowhere', 'service'],
  ['session_replication_role', 'replica', 'origin'],
  ['standard_conforming_strings', 'off', 'on'],
  ['statement_timeout', '10min', '1min'],
  ['timezone', 'Asia/Kathmandu', 'UTC'],
  ['transaction_timeout', '10min', '0'],
  ['transform_null_equals', 'on', 'off'],
  ['xmloption', 'document', 'content'],
];

/** As a shell of someone who works with another database may have them. */
const OF_A_SHELL: Readonly<Record<string, string>> = {
  PGAPPNAME: 'shell',
  PGBINARY: '1',
  PGCLIENT_ENCODING: 'LATIN1',
  PGDATABASE: 'elsewhere',
  PGDATESTYLE: 'German',
  PGHOST: 'elsewhere.invalid',
  PGOPTIONS: '--search_path=elsewhere -c default_transaction_read_only=on -c DateStyle=German',
  PGPASSWORD: 'of the shell',
  PGPORT: '1',
  PGREPLICATION: 'database',
  PGSSLCERT: '/nowhere/client.crt',
  PGSSLMODE: 'verify-full',
  PGSSLNEGOTIATION: 'direct',
  PGSSLROOTCERT: '/nowhere/root.crt',
  PGTZ: 'Asia/Kathmandu',
  PGUSER: 'nobody',
};

/** Sets them for everyone who connects to the database. */
async function makeHostile(database: TestDatabase): Promise<void> {
  const [found] = await database.query<{ name: string }>('SELECT current_database() AS name');
  for (const [name, foreign] of SETTINGS)
    await database.query(`ALTER DATABASE ${found?.name ?? ''} SET ${name} = '${foreign}'`);
}

describe('a connection of the program', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    await makeHostile(database);
  });

  afterAll(async () => {
    await database.drop();
  });

  const ours = Object.fromEntries(SETTINGS.map(([name, , value]) => [name, value]));
  const inForce = `SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name`;

  it('has its own settings where the database has others, in the pool and outside of it', async () => {
    const place = { url: database.url, schema: SCHEMA };
    const client = clientFor(place, { application_name: 'service-locks' });
    await client.connect();
    const alone = await client.query<{ name: string; value: string }>(inForce, [Object.keys(ours)]);
    await client.end();
    const source = await new DataSource(dataSourceOptions({ ...place, poolSize: 1 }, [])).initialize();
    const pooled: { name: string; value: string }[] = await source.query(inForce, [Object.keys(ours)]);
    await source.destroy();
    for (const found of [alone.rows, pooled])
      expect(Object.fromEntries(found.map(({ name, value }) => [name, value]))).toEqual(ours);
  });
});

/** Parts of the protocol: AuthenticationOk and ReadyForQuery. */
const ACCEPTED = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1');

describe('a connection that ends while it gets its settings', () => {
  it('is an error of whoever connects, and not of the process', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(ACCEPTED);
        socket.once('data', () => socket.destroy());
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = clientFor({ url: `postgres://a:b@127.0.0.1:${port}/c`, schema: SCHEMA }, {});
    await expect(client.connect()).rejects.toThrow('Connection terminated unexpectedly');
    server.close();
  });
});

/** An ErrorResponse of the protocol. */
function fatal(code: string, message: string): Buffer {
  const fields = `SFATAL\0VFATAL\0C${code}\0M${message}\0\0`;
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)]);
}

describe('a start that a setting for other programs ends', () => {
  it.each([
    {
      code: '57P05',
      setting: 'idle_session_timeout',
      message: 'terminating connection due to idle-session timeout',
    },
    {
      code: '25P04',
      setting: 'transaction_timeout',
      message: 'terminating connection due to transaction timeout',
    },
  ])('says so in one sentence: $setting', async ({ code, setting, message }) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      // Perhaps before the program has sent anything, so that the driver only knows that the connection has ended.
      socket.once('data', () => socket.end(Buffer.concat([ACCEPTED, fatal(code, message)])));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const place = { url: `postgres://a:b@127.0.0.1:${port}/c`, schema: SCHEMA };
    await expect(migrateNow(place, () => undefined)).rejects.toThrow(
      `PostgreSQL at 127.0.0.1:${port} ended the connection at once (${message}): ${setting} is too short for the server, the database "c" or the account "a"; ` +
        `reset it, such as with: ALTER DATABASE "c" RESET ${setting}; ALTER ROLE "a" RESET ${setting}`,
    );
    server.close();
  });

  it.each([
    {
      setting: 'local_preload_libraries',
      value: 'nowhere',
      sentence: /cannot load a library .*nowhere.*; install it, or remove it from local_preload_libraries/,
    },
    {
      setting: 'session_replication_role',
      value: 'replica',
      sentence:
        /has session_replication_role = replica for .*, and the account may not change it; reset it, such as with: ALTER DATABASE/,
    },
  ])('says so in one sentence to an ordinary account: $setting', async ({ setting, value, sentence }) => {
    const database = await createEmptyDatabase();
    const url = new URL(database.url);
    const name = url.pathname.slice(1);
    await database.query(`CREATE ROLE plain_${name} LOGIN PASSWORD 'plain';
      ALTER DATABASE ${name} OWNER TO plain_${name}; ALTER DATABASE ${name} SET ${setting} = '${value}'`);
    url.username = `plain_${name}`;
    url.password = 'plain';
    try {
      await expect(migrateNow({ url: url.href, schema: SCHEMA }, () => undefined)).rejects.toThrow(sentence);
    } finally {
      await database.query(`ALTER DATABASE ${name} OWNER TO CURRENT_USER; DROP ROLE plain_${name}`);
      await database.drop();
    }
  });
});

describe('a start with options in the URL that PostgreSQL does not take', () => {
  it.each([
    [
      '-c nosuch=1',
      /refuses the options of database\.url .*: unrecognized configuration parameter "nosuch"; correct/,
    ],
    ['--nosuch', /refuses the options of database\.url .*; correct/],
    ['-c role=nobody', /refuses the options of database\.url .*"nobody" does not exist; correct/],
  ])('says so in one sentence: %s', async (options, sentence) => {
    const database = await createEmptyDatabase();
    const url = `${database.url}?${new URLSearchParams({ options }).toString().replaceAll('+', '%20')}`;
    await expect(migrateNow({ url, schema: SCHEMA }, () => undefined)).rejects.toThrow(sentence);
    await database.drop();
  });
});

describe('a start from a shell and on a database that are set up for other programs', () => {
  let environment: TestEnvironment;
  let empty: TestDatabase;
  let service: ServiceProcess | undefined;

  beforeAll(async () => {
    [environment, empty] = await Promise.all([createEnvironment(), createEmptyDatabase()]);
    await environment.deploy('echo', 'export default () => Response.json({})');
    await makeHostile(empty);
    await migrate({ url: empty.url, schema: SCHEMA });
    service = await ServiceProcess.start({
      ...environment.variables,
      ...OF_A_SHELL,
      SERVICE_DATABASE__URL: empty.url,
    });
  });

  afterAll(async () => {
    await service?.stop();
    await Promise.all([environment.dispose(), empty.drop()]);
  });

  it('has migrated, and serves', async () => {
    const { client } = await signUpOwner(service?.url ?? '');
    await registerJobs(client, { echo: {} });
    const [id = ''] = await triggerMany(client, 'echo', 1);
    expect(await endedRun(client, id)).toMatchObject({
      status: 'completed',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    });
  });
});
