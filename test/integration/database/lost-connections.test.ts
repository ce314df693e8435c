import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/platform/database/index.js';
import { createDatabase } from '../../support/database.js';
import type { TestDatabase } from '../../support/database.js';
import { PostgresProxy } from '../../support/postgres-proxy.js';

describe('a connection to the database', () => {
  let database: TestDatabase;
  let proxy: PostgresProxy;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createDatabase();
    proxy = await PostgresProxy.start(database.url);
    dataSource = new DataSource(dataSourceOptions({ url: proxy.url, poolSize: 4 }, []));
    await dataSource.initialize();
  });

  afterAll(async () => {
    await dataSource.destroy();
    await proxy.stop();
    await database.drop();
  });

  it('that is ended in the moment it is made fails its statement, not the program', async () => {
    // Four at once, of which the pool has one and makes three.
    proxy.endAtReady(3);
    const answers = await Promise.allSettled(
      Array.from({ length: 4 }, () => dataSource.query('SELECT 1 AS one, pg_sleep(0.2)')),
    );
    const failures = answers.filter(({ status }) => status === 'rejected');
    expect(failures).toHaveLength(3);
    expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
