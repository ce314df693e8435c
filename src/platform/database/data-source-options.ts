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
    },
  };
}
