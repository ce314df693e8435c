import { DataSource } from 'typeorm';
import {
  Database,
  dataSourceOptions,
  isDatabaseUnavailable,
  rows,
} from '../../../../src/platform/database/index.js';
import { createDatabase } from '../../../support/database.js';
import type { TestDatabase } from '../../../support/database.js';
import { PostgresProxy } from '../../../support/postgres-proxy.js';
import { until } from '../../../support/until.js';

describe('a connection to the database', () => {
  let database: TestDatabase;
  let proxy: PostgresProxy;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createDatabase();
    proxy = await PostgresProxy.start(database.url);
    dataSource = new DataSource(dataSourceOptions({ url: proxy.url, schema: 'service', poolSize: 4 }, []));
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

  it('that is lost between two statements of a transaction counts as a database that does not answer', async () => {
    const transaction = new Database(dataSource).transaction(async (tx) => {
      await rows(tx, 'SELECT 1');
      proxy.cutAll();
      await until(() => tx.queryRunner?.isReleased === true);
      await rows(tx, 'SELECT 2');
    });
    const error: unknown = await transaction.catch((thrown: unknown) => thrown);
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
