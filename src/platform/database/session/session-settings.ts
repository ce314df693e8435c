/** The values that the program relies on, of settings that a database, an account or a server may have otherwise. */
const SETTINGS: Readonly<Record<string, string>> = {
  // First, so that limits of somebody else's do not end what follows.
  statement_timeout: "'60s'",
  // Ends transactions that hold a connection for too long; no statement here normally takes seconds.
  idle_in_transaction_session_timeout: "'60s'",
  // The connections that listen and that hold locks are idle most of the time.
  idle_session_timeout: '0',
  lock_timeout: '0',
  // How values are written and read.
  client_encoding: "'UTF8'",
  timezone: "'UTC'",
  datestyle: "'ISO, YMD'",
  intervalstyle: "'postgres'",
  bytea_output: "'hex'",
  extra_float_digits: '1',
  xmloption: "'content'",
  // How statements are read.
  standard_conforming_strings: 'on',
  quote_all_identifiers: 'off',
  transform_null_equals: 'off',
  array_nulls: 'on',
  // What transactions and indexes promise.
  default_transaction_isolation: "'read committed'",
  default_transaction_deferrable: 'off',
  row_security: 'on',
  check_function_bodies: 'on',
  gin_fuzzy_search_limit: '0',
  default_table_access_method: "'heap'",
  client_min_messages: "'notice'",
  // A plan that is kept may come from a moment when a table was empty and reading all of it was cheapest. Where there is
  // no index, as for the few workers, PostgreSQL still reads the whole table. Before PostgreSQL 18 it then assumes such
  // a cost that it would compile each execution, which takes longer than any statement here.
  enable_seqscan: 'off',
  jit: 'off',
};

/** Since PostgreSQL 17. */
const NO_TRANSACTION_LIMIT = `SELECT set_config('transaction_timeout', '0', false)
WHERE current_setting('transaction_timeout', true) IS NOT NULL`;

/**
 * As `replica`, a session fires neither the triggers nor the cascades that the program relies on. Whoever may not change it, since
 * that takes a privilege, gets an error and no connection.
 */
const TRIGGERS_FIRE = `SELECT set_config('session_replication_role', 'origin', false)
WHERE current_setting('session_replication_role') = 'replica'`;

/**
 * What every connection of the program executes first. Settings of the database, of the account and of the server differ
 * between deployments, and whoever changes them thinks of other programs.
 *
 * They are set after connecting, since PgBouncer refuses most of them as parameters of the startup message.
 * `default_transaction_read_only` is left as it is: providers turn it on to protect a database that is running full.
 *
 * @param schema what the program has in the database is there, and nowhere else does it look for anything of its own
 */
export function sessionSettings(schema: string): string {
  const [first, ...others] = Object.entries({ ...SETTINGS, search_path: quotedName(schema) }).map(
    ([name, value]) => `SET ${name} = ${value}`,
  );
  return [first, NO_TRANSACTION_LIMIT, TRIGGERS_FIRE, ...others].join(';\n');
}

/** A name as an SQL identifier. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
