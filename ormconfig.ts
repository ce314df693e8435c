import { DataSource } from 'typeorm';
import { ConfigError, loadConfig } from './src/platform/config/index.js';
import { dataSourceOptions } from './src/platform/database/index.js';

const { url, schema, poolSize } = loadConfig().database;
if (url === null) {
  // The embedded server's port is another at each start, and only the program knows it.
  throw new ConfigError([{ key: 'database.url', reason: 'is required here; set SERVICE_DATABASE__URL' }]);
}

/** The data source of TypeORM's command line; see "Develop" in README.md. The program itself does not use it. */
export default new DataSource({
  ...dataSourceOptions({ url, schema, poolSize }, []),
  // A pattern, so that no entity is forgotten; it fits the sources as well as the build.
  entities: [`${import.meta.dirname}/src/**/*.entity.{js,ts}`],
});
