import type pg from 'pg';
import { EXIT_CONFIG, StartupError } from '../../startup/index.js';
import { quotedName } from './session-settings.js';

const OLDEST_POSTGRES = 15;
const URL_SETTING = 'database.url (SERVICE_DATABASE__URL)';
const SCHEMA_SETTING = 'database.schema (SERVICE_DATABASE__SCHEMA)';

interface DatabaseFacts {
  readonly database: string;
  readonly account: string;
  readonly versionNumber: number;
  readonly encoding: string;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  readonly mayCreateSchemas: boolean;
  /** Null where the schema does not exist yet. */
  readonly schemaOwner: string | null;
  readonly mayUseSchema: boolean;
  readonly mayCreateInSchema: boolean;
  /** Anything in the schema beside a table of migrations, such as `table users of the account "shop"`. */
  readonly occupant: string | null;
  /** Whether the schema has a table of migrations, as TypeORM makes it, that the account may read. */
  readonly hasMigrations: boolean;
  /** Such as `table users of the account "shop"`: what in the schema the account cannot migrate. */
  readonly foreignTable: string | null;
}

/** In SQL, of a row of pg_class. */
const IS_MIGRATIONS_TABLE = `relname = 'migrations' AND relkind = 'r'
  AND has_schema_privilege(relnamespace, 'USAGE') AND has_table_privilege(pg_class.oid, 'SELECT')
  AND (SELECT count(*) = 3 FROM pg_attribute
       WHERE attrelid = pg_class.oid AND attname IN ('id', 'timestamp', 'name') AND NOT attisdropped)`;

const FACTS = `
  WITH space AS (
    SELECT oid, nspowner FROM pg_namespace WHERE nspname = $1
  ), relation AS (
    SELECT CASE relkind WHEN 'S' THEN 'sequence ' WHEN 'v' THEN 'view ' WHEN 'm' THEN 'view ' ELSE 'table ' END
             || relname AS name, relowner AS owner, relkind, ${IS_MIGRATIONS_TABLE} AS is_migrations
    FROM pg_class JOIN space ON relnamespace = space.oid WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
  ), occupant AS (
    SELECT name, owner FROM relation WHERE NOT is_migrations AND (relkind <> 'S' OR name <> 'sequence migrations_id_seq')
    UNION ALL SELECT 'function ' || proname, proowner FROM pg_proc JOIN space ON pronamespace = space.oid
    UNION ALL SELECT 'type ' || typname, typowner FROM pg_type JOIN space ON typnamespace = space.oid
      WHERE typtype IN ('e', 'd')
  )
  SELECT current_database() AS database, current_user AS account,
    current_setting('server_version_num')::int AS "versionNumber",
    current_setting('server_encoding') AS encoding,
    pg_is_in_recovery() AS "isStandby",
    (SELECT reset_val = 'on' FROM pg_settings WHERE name = 'default_transaction_read_only') AS "isReadOnly",
    has_database_privilege(current_database(), 'CREATE') AS "mayCreateSchemas",
    (SELECT pg_get_userbyid(nspowner) FROM space) AS "schemaOwner",
    coalesce((SELECT has_schema_privilege(oid, 'USAGE') FROM space), false) AS "mayUseSchema",
    coalesce((SELECT has_schema_privilege(oid, 'CREATE') FROM space), false) AS "mayCreateInSchema",
    (SELECT format('%s of the account "%s"', name, pg_get_userbyid(owner)) FROM occupant
     ORDER BY name LIKE 'table %' DESC, name LIMIT 1) AS occupant,
    (SELECT format('%s of the account "%s"', name, pg_get_userbyid(owner)) FROM relation
     WHERE NOT pg_has_role(owner, 'USAGE') ORDER BY name LIMIT 1) AS "foreignTable",
    EXISTS (SELECT FROM relation WHERE is_migrations) AS "hasMigrations"`;

/** Runs one statement that reads, and returns its rows. */
export type Ask = <Row extends object>(sql: string, parameters?: unknown[]) => Promise<Row[]>;

/**
 * Makes sure, before anything is written, that the program can have its tables in this database, and creates the schema
 * where it is missing. Call it under the lock of the migrations.
 * @param migrations names of all migrations, the first one first
 * @throws StartupError that says what to do
 */
export async function prepareSchema(
  client: pg.Client,
  schema: string,
  migrations: readonly string[],
): Promise<void> {
  const ask: Ask = async (sql, parameters) => (await client.query(sql, parameters)).rows as never[];
  const problem = await databaseProblem(ask, schema, migrations);
  if (problem !== null) throw new StartupError(problem, { exitCode: EXIT_CONFIG });
  const found = await ask('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
  // With IF NOT EXISTS, PostgreSQL would ask for the right to create it even where it exists.
  if (found.length === 0) await client.query(`CREATE SCHEMA ${quotedName(schema)}`);
}

/**
 * Why the program cannot have its tables in this database, and what to do; null if it can.
 * @param migrations names of all migrations, the first one first
 */
export async function databaseProblem(
  ask: Ask,
  schema: string,
  migrations: readonly string[],
): Promise<string | null> {
  const [facts] = await ask<DatabaseFacts>(FACTS, [schema]);
  if (facts === undefined) return null;
  const ofServer = serverProblem(facts);
  if (ofServer !== null) return ofServer;
  const ran = facts.hasMigrations
    ? await ask<{ name: string }>(`SELECT name FROM ${quotedName(schema)}.migrations ORDER BY id`)
    : [];
  const names = ran.map(({ name }) => name);
  const [first = ''] = migrations;
  const isOurs = names.includes(first);
  // What a newer release added is no hindrance: instances of this one may start during its upgrade.
  if (!isOurs && names[0] !== undefined)
    return (
      `the schema "${schema}" of the database "${facts.database}" begins with the migration ${names[0]}, so another program ` +
      `made it, or this program before its first release, and nothing upgrades it; ` +
      `set ${URL_SETTING} to an empty database, or ${SCHEMA_SETTING} to another name`
    );
  return schemaProblem(facts, schema, {
    stranger: isOurs ? null : facts.occupant,
    isComplete: migrations.every((name) => names.includes(name)),
  });
}

function serverProblem({
  database,
  account,
  versionNumber,
  encoding,
  isStandby,
  isReadOnly,
}: DatabaseFacts): string | null {
  const version = Math.floor(versionNumber / 10_000);
  if (version < OLDEST_POSTGRES)
    return `PostgreSQL is release ${version}, and the program needs ${OLDEST_POSTGRES} or newer; upgrade it, or set ${URL_SETTING} to a newer server`;
  if (encoding !== 'UTF8')
    return (
      `the database "${database}" has the encoding ${encoding}, and the program needs UTF8; ` +
      `create one with: CREATE DATABASE name OWNER ${quotedName(account)} ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0; then correct ${URL_SETTING}`
    );
  if (isStandby || isReadOnly)
    return (
      `the database "${database}" is read-only: ` +
      (isStandby
        ? `the server is a standby; set ${URL_SETTING} to the primary server`
        : `default_transaction_read_only is on for the server, the database or the account "${account}"; turn it off, such as with: ` +
          `ALTER DATABASE ${quotedName(database)} RESET default_transaction_read_only`)
    );
  return null;
}

interface Content {
  /** Something in the schema that is not the program's. */
  readonly stranger: string | null;
  /** Whether all migrations ran, so that the account need not own anything. */
  readonly isComplete: boolean;
}

function schemaProblem(
  {
    database,
    account,
    schemaOwner,
    mayCreateSchemas,
    mayUseSchema,
    mayCreateInSchema,
    foreignTable,
  }: DatabaseFacts,
  schema: string,
  { stranger, isComplete }: Content,
): string | null {
  const target = `the schema "${schema}" of the database "${database}"`;
  if (schemaOwner === null)
    return mayCreateSchemas
      ? null
      : `the account "${account}" may not create ${target}; ` +
          `create it with: CREATE SCHEMA ${quotedName(schema)} AUTHORIZATION ${quotedName(account)}; ` +
          `or let the account own the database: ALTER DATABASE ${quotedName(database)} OWNER TO ${quotedName(account)}`;
  if (stranger !== null)
    return (
      `${target} holds the ${stranger}, which the program did not make for this account; ` +
      `set ${SCHEMA_SETTING} to the name of a schema for the program alone, or correct the account in ${URL_SETTING}`
    );
  if (!mayUseSchema || (!mayCreateInSchema && !isComplete))
    return (
      `the account "${account}" may not create tables in ${target}, which belongs to the account "${schemaOwner}"; ` +
      `hand it over with: ALTER SCHEMA ${quotedName(schema)} OWNER TO ${quotedName(account)}; ` +
      `or set ${SCHEMA_SETTING} to the name of a schema for the program alone`
    );
  if (foreignTable !== null && !isComplete)
    return (
      `the account "${account}" cannot migrate ${target}, which holds the ${foreignTable}; ` +
      `set the account that owns the tables in ${URL_SETTING}`
    );
  return null;
}
