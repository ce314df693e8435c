import type { TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

/** What was written for runs, as PostgreSQL's log of writes has it. */
export interface Writes {
  readonly rows: number;
  readonly indexEntries: number;
  readonly bytes: number;
}

const TABLES = ['runs_active', 'runs_ended', 'run_changes', 'run_logs', 'tenant_queues', 'run_stats'];

/** What was written into the tables of runs during the work, without what PostgreSQL writes for its checkpoints. */
export async function writesOf(database: TestDatabase, work: () => Promise<void>): Promise<Writes> {
  await database.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect');
  const position = async (): Promise<string | undefined> =>
    (await database.query<{ at: string }>('SELECT pg_current_wal_insert_lsn()::text AS at'))[0]?.at;
  const from = await position();
  await work();
  const to = await position();
  // Only what has been flushed can be read, and commits of the tests wait for no flush.
  const isFlushed = 'SELECT WHERE pg_current_wal_flush_lsn() >= $1::pg_lsn';
  await until(async () => (await database.query(isFlushed, [to])).length === 1);
  const [written] = await database.query<Writes>(
    `WITH files AS (
       SELECT pg_relation_filenode(oid) AS file, false AS is_index FROM pg_class WHERE relname = ANY ($3)
       UNION ALL
       SELECT pg_relation_filenode(indexrelid), true FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
       WHERE relname = ANY ($3)
     ), written AS (
       SELECT DISTINCT start_lsn, record_type, record_length - record_fpi_length AS bytes, is_index
       FROM (
         SELECT *, sum(block_fpi_length) OVER (PARTITION BY start_lsn) AS record_fpi_length
         FROM pg_get_wal_block_info($1, $2, false)
       ) block JOIN files ON relfilenode = file
       WHERE reldatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
     )
     SELECT count(*) FILTER (WHERE NOT is_index AND record_type ~ '^(INSERT|UPDATE|HOT_UPDATE|DELETE)')::int AS rows,
            count(*) FILTER (WHERE is_index AND record_type ~ '^INSERT_LEAF')::int AS "indexEntries",
            sum(bytes)::int AS bytes
     FROM written`,
    [from, to, TABLES],
  );
  if (written === undefined) throw new Error('nothing was counted');
  return written;
}
