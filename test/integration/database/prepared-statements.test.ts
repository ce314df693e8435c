import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import '../../../src/identity/index.js';
import '../../../src/jobs/index.js';
import { dataSourceOptions, preparedStatements } from '../../../src/platform/database/index.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';

/** PostgreSQL plans a statement so often for its parameters before it compares that with a plan for any. */
const CUSTOM_PLANS = 5;

const STATEMENTS = [...preparedStatements()].map(([name, text]) => ({ name, text }));

let environment: TestEnvironment;
let dataSource: DataSource;

beforeAll(async () => {
  environment = await createEnvironment();
  // A pool of one: what is prepared stays with its connection.
  dataSource = new DataSource(
    dataSourceOptions({ url: environment.database.url, schema: 'service', poolSize: 1 }, []),
  );
  await dataSource.initialize();
});

afterAll(async () => {
  await dataSource.destroy();
  await environment.dispose();
});

async function parameterTypes(name: string): Promise<string[]> {
  const [statement] = await dataSource.query<{ types: string[] }[]>(
    'SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = $1',
    [name],
  );
  return statement?.types ?? [];
}

/** Any value of the type. NULL would do, but for it PostgreSQL plans that nothing is found. */
function valueOf(type: string): unknown {
  if (type.endsWith('[]')) return [];
  if (type === 'uuid') return randomUUID();
  if (type === 'timestamp with time zone') return new Date();
  return type === 'bytea' ? Buffer.alloc(32) : 1;
}

describe('a hot statement', () => {
  it.each(STATEMENTS)(
    '$name is planned for its parameters only at first, and then keeps its plan',
    async ({ name, text }) => {
      await dataSource.query(`PREPARE counted AS ${text}`);
      const types = await parameterTypes('counted');
      await dataSource.query('DEALLOCATE counted');
      const parameters = types.map(valueOf);
      for (let time = 0; time < 2 * CUSTOM_PLANS; time += 1) await dataSource.query(text, parameters);
      expect(
        await dataSource.query(
          'SELECT generic_plans::int AS kept, custom_plans::int AS custom FROM pg_prepared_statements WHERE name = $1',
          [name],
        ),
      ).toEqual([{ kept: CUSTOM_PLANS, custom: CUSTOM_PLANS }]);
    },
  );

  it.each(STATEMENTS)(
    '$name reads tables by index, even when it is planned while they are empty',
    async ({ text }) => {
      await dataSource.query(`SET plan_cache_mode = 'force_generic_plan'; PREPARE planned AS ${text}`);
      const types = await parameterTypes('planned');
      const explained = await dataSource.query<{ 'QUERY PLAN': string }[]>(
        `EXPLAIN EXECUTE planned (${types.map(() => 'NULL').join()})`,
      );
      await dataSource.query('RESET plan_cache_mode; DEALLOCATE planned');
      const plan = explained.map((line) => line['QUERY PLAN']);
      // Workers are few, and all of them are counted.
      expect(plan.filter((line) => /Seq Scan on (?!workers)/.test(line))).toEqual([]);
      expect(plan.some((line) => /Index (Only )?Scan/.test(line))).toBe(true);
    },
  );
});

it('a connection compiles no statement at its execution, because a full scan seems expensive before PostgreSQL 18', async () => {
  expect(await dataSource.query('SHOW jit')).toEqual([{ jit: 'off' }]);
});
