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
      // A statement that runs longer holds a connection that others wait for; nothing here takes seconds.
      statement_timeout: 60_000,
      idle_in_transaction_session_timeout: 60_000,
      keepAlive: true,
      onConnect: outliveErrors,
    },
  };
}

/**
 * Between the pool, which stops listening as it hands a connection out, and TypeORM, which listens once it has it,
 * nobody does. An end of the connection that comes just then would end the program. Whoever uses it is told anyway.
 */
function outliveErrors(client: pg.Client): void {
  client.on('error', () => undefined);
}
