import type pg from 'pg';
import { clientFollowing } from './primary/following-client.js';
import { IS_READ_ONLY, primaryServer } from './primary/primary-server.js';
import { StandbyError } from './database-errors.js';
import type { DataSourceOptions, Logger, MixedList } from 'typeorm';
import { migrations } from '../../../migrations/index.js';

export interface DatabaseSettings {
  readonly url: string;
  readonly poolSize: number;
}

/** Options of the only data source. Only migrations change the schema. */
export function dataSourceOptions(
  settings: DatabaseSettings,
  entities: MixedList<new () => object>,
  logger?: Logger,
): DataSourceOptions {
  const primary = primaryServer(settings.url);
  return {
    type: 'postgres',
    // TypeORM reads one host of it; the connections follow the server that accepts writes.
    url: primary.url,
    entities,
    migrations,
    migrationsRun: false,
    migrationsTableName: 'migrations',
    synchronize: false,
    poolSize: settings.poolSize,
    applicationName: 'service',
    connectTimeoutMS: CONNECT_LIMIT_MS,
    ...(logger === undefined ? { logging: false } : { logging: 'all', logger }),
    extra: {
      Client: clientFollowing(primary),
      keepAlive: true,
      onConnect: prepareConnection,
    },
  };
}

/**
 * Ends statements and idle transactions that hold a connection for too long; no statement here normally takes
 * seconds. The limits are set after connecting, because PgBouncer refuses both as parameters of the startup message.
 */
const TIME_LIMITS = `SET statement_timeout = '60s'; SET idle_in_transaction_session_timeout = '60s'`;

/**
 * A plan that is kept may come from a moment when a table was empty and reading all of it was cheapest. Where there is no
 * index, as for the few workers, PostgreSQL still reads the whole table. Before PostgreSQL 18 it then assumes such a cost
 * that it would compile each execution, which takes longer than any statement here.
 */
const INDEXES_FIRST = 'SET enable_seqscan = off; SET jit = off';

const CONNECT_LIMIT_MS = 5_000;

/**
 * Adds an error listener of its own. The pool removes its listener when it hands a connection out, and TypeORM adds
 * one only after that. Without a listener, a connection that ends in between would end the process. The connection's
 * user still gets the error.
 */
async function prepareConnection(client: pg.Client): Promise<void> {
  client.on('error', () => undefined);
  // The pool's own limit ends with the connecting: unanswered, this would keep one of its places for good.
  const answers: unknown = await client.query({
    text: `${TIME_LIMITS}; ${INDEXES_FIRST}; ${IS_READ_ONLY}`,
    query_timeout: CONNECT_LIMIT_MS,
  } as pg.QueryConfig);
  const last = (answers as pg.QueryResult<{ isReadOnly: boolean }>[]).at(-1);
  if (last?.rows[0]?.isReadOnly === true) throw new StandbyError();
}
