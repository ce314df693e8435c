import { randomUUID } from 'node:crypto';
import { HOT_STATEMENTS, HotStatements } from '../../support/hot-statements.js';

/** PostgreSQL plans a statement so often for its parameters before it compares that with a plan for any. */
const CUSTOM_PLANS = 5;

let statements: HotStatements;

beforeAll(async () => {
  statements = await HotStatements.connect();
});

afterAll(() => statements.stop());

/** Any value of the type. NULL would do, but for it PostgreSQL plans that nothing is found. */
function valueOf(type: string): unknown {
  if (type.endsWith('[]')) return [];
  // Also an exchange without tenants.
  if (type === 'json') return '{"tenants":[]}';
  if (type === 'uuid') return randomUUID();
  if (type === 'timestamp with time zone') return new Date();
  return type === 'bytea' ? Buffer.alloc(32) : 1;
}

describe('a hot statement', () => {
  it.each(HOT_STATEMENTS)(
    '$name is planned for its parameters only at first, and then keeps its plan',
    async ({ name, text }) => {
      const parameters = (await statements.parameterTypes(text)).map(valueOf);
      const { dataSource } = statements;
      for (let time = 0; time < 2 * CUSTOM_PLANS; time += 1) await dataSource.query(text, parameters);
      expect(
        await dataSource.query(
          'SELECT generic_plans::int AS kept, custom_plans::int AS custom FROM pg_prepared_statements WHERE name = $1',
          [name],
        ),
      ).toEqual([{ kept: CUSTOM_PLANS, custom: CUSTOM_PLANS }]);
    },
  );

  it.each(HOT_STATEMENTS)(
    '$name reads tables by index, even when it is planned while they are empty',
    async ({ text }) => {
      const plan = await statements.genericPlan<string>(text);
      // Workers are few, and all of them are counted.
      expect(plan.filter((line) => /Seq Scan on (?!workers)/.test(line))).toEqual([]);
      // The statements of a function have plans of their own, which it keeps likewise.
      expect(plan.some((line) => /Index (Only )?Scan|Function Scan/.test(line))).toBe(true);
    },
  );
});

it('a connection compiles no statement at its execution, because a full scan seems expensive before PostgreSQL 18', async () => {
  expect(await statements.dataSource.query('SHOW jit')).toEqual([{ jit: 'off' }]);
});
