import { withConnection } from './database.mjs';

const TEXT_LENGTH = 90;
/** Statements that ran less often say too little. */
const LEAST_CALLS = 5;

/** Starts the embedded servers with pg_stat_statements, which PostgreSQL loads only at its start. */
export async function startWithStatements(startEmbedded, options) {
  const first = await startEmbedded(options);
  await withConnection(first.postgresUrl, (client) =>
    client.query(`ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`),
  );
  await first.stop();
  return await startEmbedded(options);
}

/**
 * Does the work, and returns the buffers that each of its statements touched for each call, on average.
 * @returns {Promise<{ id: string, text: string, buffers: number }[]>}
 */
export async function buffersOf(databaseUrl, work) {
  return await withConnection(databaseUrl, async (client) => {
    await client.query('SELECT pg_stat_statements_reset()');
    await work();
    const { rows } = await client.query(
      `SELECT queryid::text AS id, query, ((shared_blks_hit + shared_blks_read)::float8 / calls) AS buffers
       FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid
       WHERE datname = current_database() AND calls >= $1 AND query NOT LIKE '%pg_stat_statements%'`,
      [LEAST_CALLS],
    );
    return rows.map(({ id, query, buffers }) => ({ id, text: shortened(query), buffers }));
  });
}

/** For a cell of a table. */
function shortened(query) {
  const text = query.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
  return text.length <= TEXT_LENGTH ? text : `${text.slice(0, TEXT_LENGTH)}…`;
}
