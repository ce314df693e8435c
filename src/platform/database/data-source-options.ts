import type pg from 'pg';
import { clientFollowing } from './primary/following-client.js';
import type { DatabaseLocation } from './primary/following-client.js';
import { IS_READ_ONLY, primaryServer } from './primary/primary-server.js';
import { StandbyError } from './database-errors.js';
import type { DataSourceOptions, Logger, MixedList } from 'typeorm';
import { migrations } from '../../../migrations/index.js';

export interface DatabaseSettings extends DatabaseLocation {
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
      Client: clientFollowing(primary, settings.schema),
      keepAlive: true,
      onConnect: prepareConnection,
    },
  };
}

const CONNECT_LIMIT_MS = 5_000;

async function prepareConnection(client: pg.Client): Promise<void> {
  // The pool's own limit ends with the connecting: unanswered, this would keep one of its places for good.
  const answer = await client.query<{ isReadOnly: boolean }>({
    text: IS_READ_ONLY,
    query_timeout: CONNECT_LIMIT_MS,
  } as pg.QueryConfig);
  if (answer.rows[0]?.isReadOnly === true) throw new StandbyError();
}
