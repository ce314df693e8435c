import { randomBytes, randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { CacheInvalidation } from '../../../src/cache-invalidation/index.js';
import type { TenantId } from '../../../src/http/index.js';
import { DataTriggerRepository } from '../../../src/jobs/data-events/data-trigger.repository.js';
import { DatabaseTriggers } from '../../../src/jobs/data-events/database-triggers.js';
import { OrganizationTenancy } from '../../../src/orgs/tenancy/tenant-resolver.js';
import { loadConfig } from '../../../src/platform/config/index.js';
import type { Config } from '../../../src/platform/config/index.js';
import {
  Database,
  ProcessLocks,
  clientFor,
  dataSourceOptions,
  migrate,
} from '../../../src/platform/database/index.js';
import { SCHEMA, createDatabase, createEmptyDatabase } from '../../support/database.js';
import type { TestDatabase } from '../../support/database.js';
import { until } from '../../support/until.js';

/** What an application beside the program has, with names that the program uses too. */
const APPLICATION = `
  CREATE TABLE public.users (name text); INSERT INTO public.users VALUES ('of the application');
  CREATE TABLE public.migrations (id serial PRIMARY KEY, "timestamp" bigint NOT NULL, name varchar NOT NULL);
  INSERT INTO public.migrations ("timestamp", name) VALUES (1, 'CreateUsers1');
  CREATE FUNCTION public.service_now() RETURNS text LANGUAGE sql AS $$ SELECT 'of the application' $$;`;

const OTHER_SCHEMA = 'Second-Service of us';

/** What is in a schema. */
const NAMES = `SELECT relname AS name FROM pg_class WHERE relnamespace = to_regnamespace(quote_ident($1))
  UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = to_regnamespace(quote_ident($1)) ORDER BY 1`;

describe('two deployments in the database of an application', () => {
  const schemas = [SCHEMA, OTHER_SCHEMA] as const;
  let database: TestDatabase;
  const sources: DataSource[] = [];

  beforeAll(async () => {
    database = await createDatabase();
    await database.query(APPLICATION);
    await migrate({ url: database.url, schema: OTHER_SCHEMA });
    for (const schema of schemas)
      sources.push(
        await new DataSource(dataSourceOptions({ url: database.url, schema, poolSize: 2 }, [])).initialize(),
      );
  });

  afterAll(async () => {
    for (const source of sources) await source.destroy();
    await database.drop();
  });

  const configOf = (schema: string): Config => ({
    ...loadConfig({ env: {} }),
    database: { url: database.url, schema, poolSize: 2 },
  });

  it('have the same in their schemas, and leave the schema public as it is', async () => {
    const [one, other] = await Promise.all(schemas.map((schema) => database.query(NAMES, [schema])));
    expect(other).toEqual(one);
    expect(one?.length).toBeGreaterThan(50);
    expect(await database.query(NAMES, ['public'])).toEqual(
      ['migrations', 'migrations_id_seq', 'migrations_pkey', 'service_now', 'users'].map((name) => ({
        name,
      })),
    );
    expect(await database.query('SELECT name FROM public.users')).toEqual([{ name: 'of the application' }]);
  });

  it('capture the changes of one table, each with triggers and events of its own', async () => {
    await database.query('CREATE TABLE public.orders (id int, org_id uuid)');
    const tenantIds = [randomUUID() as TenantId, randomUUID() as TenantId];
    const triggers = new DataTriggerRepository();
    const databaseTriggers = new DatabaseTriggers(
      triggers,
      new OrganizationTenancy(null as never, null as never, null as never, null as never),
      loadConfig({ env: {} }),
    );
    for (const [index, source] of sources.entries()) {
      const tenantId = tenantIds[index] ?? ('' as TenantId);
      await new Database(source).transaction(async (tx) => {
        await tx.query(
          `INSERT INTO jobs (tenant_id, id, name, handler, timeout_ms, retries, retry_backoff, triggers)
           VALUES ($1, 'watch', 'watch', 'take', 1000, 0, '{}', '[]')`,
          [tenantId],
        );
        await triggers.insertWatches(tx, tenantId, [
          { schema: 'public', name: 'orders', event: 'insert', jobId: 'watch', columns: null },
        ]);
        await databaseTriggers.reconcile(tx, null);
      });
    }
    for (const tenantId of [...tenantIds, randomUUID()])
      await database.query('INSERT INTO public.orders VALUES (1, $1)', [tenantId]);
    for (const [index, source] of sources.entries()) {
      expect(await source.query('SELECT tenant_id FROM data_events')).toEqual([
        { tenant_id: tenantIds[index] },
      ]);
      expect(await triggers.findDifferences(new Database(source).reader, null)).toEqual([]);
      const [facts] = await triggers.findFacts(
        new Database(source).reader,
        [{ schema: schemas[index] ?? '', name: 'data_events' }],
        'org_id',
      );
      expect(facts).toMatchObject({ isOwnTable: true });
    }
  });

  it('do not hear of each other’s changes', async () => {
    const heard: string[] = [];
    const changes = schemas.map((schema) => new CacheInvalidation(configOf(schema)));
    for (const [index, each] of changes.entries()) {
      each.onChange((change) => {
        if (change !== 'everything') heard.push(`${schemas[index] ?? ''}: ${change.id}`);
      });
      await each.start();
    }
    const announce = async (index: number, id: string): Promise<void> => {
      const source = sources[index];
      const channel = `${schemas[index] ?? ''}_changes`;
      await source?.query('SELECT pg_notify($1, $2)', [channel, `user:${id}`]);
    };
    await announce(0, 'a');
    await announce(1, 'b');
    // PostgreSQL delivers in the order of the commits, so what should not come would have come before these.
    await announce(0, 'last');
    await announce(1, 'last');
    await until(() => heard.filter((line) => line.endsWith('last')).length === 2);
    expect(heard.sort()).toEqual([
      `${OTHER_SCHEMA}: b`,
      `${OTHER_SCHEMA}: last`,
      `${SCHEMA}: a`,
      `${SCHEMA}: last`,
    ]);
    for (const each of changes) await each.stop();
  });

  it('hold locks of the same name at the same time', async () => {
    const locks = schemas.map((schema) => new ProcessLocks(configOf(schema)));
    const releases = [];
    for (const each of locks) releases.push(await each.tryLock('of the suite'));
    expect(releases).toEqual([expect.any(Function), expect.any(Function)]);
    for (const release of releases) await release?.();
  });

  it('migrate without waiting for each other', async () => {
    const holder = clientFor({ url: database.url, schema: SCHEMA }, {});
    await holder.connect();
    await holder.query(`SELECT pg_advisory_lock(7316001, hashtext($1))`, [SCHEMA]);
    expect(await migrate({ url: database.url, schema: OTHER_SCHEMA })).toEqual([]);
    await holder.end();
  });
});

interface Unsuitable {
  readonly says: RegExp;
  /** Executed by a superuser; `account` stands for the role that the program connects as. */
  readonly prepare?: string;
  readonly options?: string;
  readonly schema?: string;
}

const UNSUITABLE: Readonly<Record<string, Unsuitable>> = {
  'has another encoding than UTF8': {
    options: `ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0`,
    says: /has the encoding LATIN1, and the program needs UTF8; create one with: CREATE DATABASE/,
  },
  'has no schema of the program, and the account may not create one': {
    says: /may not create the schema "service".*; create it with: CREATE SCHEMA "service" AUTHORIZATION "account"/,
  },
  'has a schema of this name in which the account may not create tables': {
    prepare: 'CREATE SCHEMA service',
    says: /may not create tables in the schema "service".*, which belongs to the account ".+"; hand it over with: ALTER SCHEMA/,
  },
  'has a schema of this name with tables of an application': {
    prepare: `CREATE SCHEMA service; CREATE TABLE service.users (name text); GRANT ALL ON SCHEMA service TO account`,
    says: /holds the table users of the account ".+", which the program did not make.*; set database\.schema/,
  },
  'has a schema of this name with a function of an application': {
    prepare: `CREATE SCHEMA service AUTHORIZATION account;
              CREATE FUNCTION service.hello() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
    says: /holds the function hello/,
  },
  'has a schema of this name with a table of migrations of another kind': {
    prepare: `CREATE SCHEMA service AUTHORIZATION account; CREATE TABLE service.migrations (version text);
              ALTER TABLE service.migrations OWNER TO account`,
    says: /holds the table migrations/,
  },
  'has a schema of this name that begins with another migration': {
    prepare: `CREATE SCHEMA service AUTHORIZATION account;
              CREATE TABLE service.migrations (id serial, "timestamp" bigint, name text);
              INSERT INTO service.migrations VALUES (1, 1, 'CreateShop1'); GRANT ALL ON service.migrations TO account`,
    says: /begins with the migration CreateShop1, so another program made it, .*; set database\.url .* to an empty database, or database\.schema/,
  },
  'is read-only by its settings': {
    prepare: `GRANT CREATE ON DATABASE current TO account; ALTER DATABASE current SET default_transaction_read_only = on`,
    says: /is read-only: default_transaction_read_only is on .*; turn it off, such as with: ALTER DATABASE/,
  },
};

describe('a start on a database that', () => {
  let admin: TestDatabase;

  beforeAll(async () => {
    admin = await createEmptyDatabase();
  });

  afterAll(async () => {
    await admin.drop();
  });

  it.each(Object.entries(UNSUITABLE))(
    '%s is refused in one sentence, and writes nothing',
    async (_, fault) => {
      const name = `suite_${randomBytes(8).toString('hex')}`;
      await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD 'plain'`);
      await admin.query(`CREATE DATABASE ${name} ${fault.options ?? ''}`);
      const url = new URL(admin.url);
      url.pathname = `/${name}`;
      const inside = clientFor({ url: url.toString(), schema: SCHEMA }, {});
      await inside.connect();
      const prepare = (fault.prepare ?? '').replace(/\b(?:account|current)\b/g, name);
      if (prepare !== '') await inside.query(prepare);
      const content = `SELECT nspname AS name FROM pg_namespace UNION ALL
      SELECT relname FROM pg_class WHERE relnamespace <> 'pg_toast'::regnamespace ORDER BY 1`;
      const before = (await inside.query(content)).rows;
      Object.assign(url, { username: name, password: 'plain' });
      const refusal: unknown = await migrate({ url: url.toString(), schema: fault.schema ?? SCHEMA }).catch(
        (error: unknown) => error,
      );
      expect(refusal).toMatchObject({ name: 'StartupError', exitCode: 78 });
      expect((refusal as Error).message.replaceAll(name, 'account')).toMatch(fault.says);
      expect((refusal as Error).message).not.toContain('\n');
      expect((await inside.query(content)).rows).toEqual(before);
      await inside.end();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.query(`DROP ROLE ${name}`);
    },
  );
});
