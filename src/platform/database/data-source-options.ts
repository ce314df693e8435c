import type pg from 'pg';
import type { DataSourceOptions, Logger, MixedList } from 'typeorm';
import { migrations } from '../../../migrations/index.js';

export interface DatabaseSettings {
  readonly url: string;
  readonly poolSize: number;
}

/** Options of the one data source. The schema comes from migrations alone. */
export function dataSourceOptions(
  settings: DatabaseSettings,
  entities: MixedList<new () => object>,
  logger?: Logger,
): DataSourceOptions {
  return {
    type: 'postgres',
    url: settings.url,
    entities,
    migrations,
    migrationsRun: false,
    migrationsTableName: 'migrations',
    synchronize: false,
    poolSize: settings.poolSize,
    applicationName: 'service',
    connectTimeoutMS: 5000,
    ...(logger === undefined ? { logging: false } : { logging: 'all', logger }),
    extra: {
      keepAlive: true,
      onConnect: prepareConnection,
    },
  };
}

/**
 * A statement that runs longer holds a connection that others wait for; nothing here takes seconds. Set once
 * connected, since PgBouncer refuses both as parameters of the start-up message.
 */
const TIME_LIMITS = `SET statement_timeout = '60s'; SET idle_in_transaction_session_timeout = '60s'`;

/**
 * Between the pool, which stops listening as it hands a connection out, and TypeORM, which listens once it has it,
 * nobody does. An end of the connection that comes just then would end the program. Whoever uses it is told anyway.
 */
async function prepareConnection(client: pg.Client): Promise<void> {
  client.on('error', () => undefined);
  await client.query(TIME_LIMITS);
}
