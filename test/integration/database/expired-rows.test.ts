import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions, deleteExpired } from '../../../src/platform/database/index.js';
import type { AutoCommit } from '../../../src/platform/database/index.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { until } from '../../support/until.js';

const LETTERS = { table: 'public.letters', key: 'place, number', when: 'age > $2', parameter: 7 };

let environment: TestEnvironment;
let dataSource: DataSource;

beforeAll(async () => {
  environment = await createEnvironment();
  const options = dataSourceOptions({ url: environment.database.url, schema: 'service', poolSize: 1 }, []);
  dataSource = await new DataSource(options).initialize();
  await environment.database.query(
    `CREATE TABLE letters (place text, number int, age int, PRIMARY KEY (place, number));
     INSERT INTO letters SELECT 'here', n, n FROM generate_series(1, 12) n`,
  );
});

afterAll(async () => {
  await dataSource.destroy();
  await environment.dispose();
});

it('expired rows are deleted up to a limit, without waiting for locked ones', async () => {
  const other = new pg.Client({ connectionString: environment.database.url });
  await other.connect();
  await other.query('BEGIN; SELECT FROM letters WHERE number = 9 FOR UPDATE');
  const handle = dataSource.manager as AutoCommit;
  expect(await deleteExpired(handle, LETTERS, 3)).toBe(3);
  expect(await deleteExpired(handle, LETTERS, 3)).toBe(1);
  await other.end();
  await until(async () => (await deleteExpired(handle, LETTERS, 3)) === 1);
  expect(await environment.database.query('SELECT count(*)::int AS left FROM letters')).toEqual([
    { left: 7 },
  ]);
});
