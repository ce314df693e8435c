import { addressOf, firstRow, migrationState, rows } from '../../../../platform/database/index.js';
import type {
  Database,
  DatabaseLocation,
  MigrationState,
  SelectText,
} from '../../../../platform/database/index.js';
import type { PostgresFacts } from '../judgements/postgres.js';
import type { OpenDatabase } from './database.js';

type ServerFacts = Omit<PostgresFacts, 'server' | 'closedTables' | 'bloatedTables' | keyof MigrationState>;

/** Of another session than this one, which is made read-only. */
const READ_ONLY: SelectText = `SELECT reset_val = 'on' AS on FROM pg_settings WHERE name = 'default_transaction_read_only'`;

const SERVER: SelectText = `SELECT current_setting('server_version_num')::int AS "versionNumber",
    current_user AS account, role.rolsuper AS "isSuperuser", pg_is_in_recovery() AS "isInRecovery",
    (${READ_ONLY}) AS "isReadOnly",
    current_setting('fsync') AS fsync, current_setting('full_page_writes') AS "fullPageWrites",
    current_setting('synchronous_commit') AS "synchronousCommit", current_setting('autovacuum') AS autovacuum,
    least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0),
      nullif(role.rolconnlimit, -1),
      nullif((SELECT datconnlimit FROM pg_database WHERE datname = current_database()), -1)
    ) AS connections,
    (SELECT extract(epoch FROM max(clock_timestamp() - xact_start))::float8 FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND backend_type = 'client backend') AS "longestTransactionSecs",
    (SELECT extract(epoch FROM max(clock_timestamp() - prepared))::float8 FROM pg_prepared_xacts
     WHERE database = current_database()) AS "oldestPreparedSecs",
    coalesce((SELECT has_schema_privilege(oid, 'CREATE') FROM pg_namespace WHERE nspname = $1),
      has_database_privilege(current_database(), 'CREATE')) AS "mayCreate"
  FROM pg_roles role WHERE role.rolname = current_user`;

const CLOSED: SelectText = `SELECT count(*)::int AS closed FROM pg_class
  JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE relkind IN ('r', 'p') AND nspname = $1
    AND NOT (has_schema_privilege(relnamespace, 'USAGE') AND has_table_privilege(pg_class.oid, 'SELECT')
             AND has_table_privilege(pg_class.oid, 'INSERT'))`;

/** A dead row costs little by itself: a hundred thousand of them, more than there are rows alive, are a sign. */
const BLOATED: SelectText = `SELECT relname AS name FROM pg_stat_user_tables
  WHERE schemaname = $1 AND n_dead_tup > 100000 AND n_dead_tup > n_live_tup ORDER BY n_dead_tup DESC LIMIT 3`;

export async function postgresFacts(
  { database, dataSource }: OpenDatabase,
  { url, schema }: DatabaseLocation,
): Promise<PostgresFacts> {
  const { reader } = database;
  const found = await firstRow<ServerFacts>(reader, SERVER, [schema]);
  if (found === null) throw new Error('the account of the connection has no role');
  const [closed, bloated, migrations] = await Promise.all([
    firstRow<{ closed: number }>(reader, CLOSED, [schema]),
    rows<{ name: string }>(reader, BLOATED, [schema]),
    migrationState(reader, dataSource, schema),
  ]);
  return {
    ...found,
    server: addressOf(url).server,
    closedTables: closed?.closed ?? 0,
    bloatedTables: bloated.map(({ name }) => name),
    ...migrations,
  };
}

/** How far the clock of the server is from that of this machine, milliseconds. */
export async function postgresSkewMs({ reader }: Database): Promise<number> {
  const sentAt = Date.now();
  const found = await firstRow<{ now: Date }>(reader, 'SELECT clock_timestamp() AS now');
  const receivedAt = Date.now();
  return found === null ? 0 : found.now.getTime() - (sentAt + receivedAt) / 2;
}
