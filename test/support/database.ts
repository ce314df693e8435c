import pg from 'pg';
import { randomBytes } from 'node:crypto';

/** By default, the program's schema. */
export const SCHEMA = 'service';

/** Created and migrated by `npm test` before the first suite. */
const TEMPLATE = 'service_template';

export interface OpenDatabase {
  readonly url: string;
  query<Row extends pg.QueryResultRow>(sql: string, parameters?: unknown[]): Promise<Row[]>;
}

export interface TestDatabase extends OpenDatabase {
  drop(): Promise<void>;
}

function serverUrl(database: string): string {
  const base = process.env.TEST_POSTGRES_URL;
  if (base === undefined)
    throw new Error('run the tests with npm test, which starts PostgreSQL and Redis for them');
  const url = new URL(base);
  url.pathname = `/${database}`;
  return url.toString();
}

async function withClient<Result>(
  database: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: serverUrl(database) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A database that others use as well. Its connections do not keep the process alive. */
export function openDatabase(url: string): OpenDatabase {
  // Even on servers of the suite's own, the program's tables have unqualified names (scripts/test.mjs).
  const options = `-c search_path=public,${SCHEMA}`;
  const pool = new pg.Pool({ connectionString: url, options, max: 2, allowExitOnIdle: true });
  pool.on('error', () => undefined);
  return { url, query: async (sql, parameters) => (await pool.query(sql, parameters)).rows as never };
}

/** A migrated database of the suite's own, cloned from the template. */
export async function createDatabase(): Promise<TestDatabase> {
  return await create((admin, name) =>
    admin.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`),
  );
}

/** A database without a schema, as an operator creates it before the first start. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return await create((admin, name) => admin.query(`CREATE DATABASE ${name}`));
}

async function create(make: (admin: pg.Client, name: string) => Promise<unknown>): Promise<TestDatabase> {
  const name = `suite_${randomBytes(8).toString('hex')}`;
  await withClient('postgres', (admin) => make(admin, name));
  const pool = new pg.Pool({ connectionString: serverUrl(name), max: 3 });
  pool.on('error', () => undefined);
  return {
    url: serverUrl(name),
    query: async (sql, parameters) => (await pool.query(sql, parameters)).rows as never,
    drop: async () => {
      await pool.end();
      await withClient('postgres', (admin) => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}
