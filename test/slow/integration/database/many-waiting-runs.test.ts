import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import '../../../../src/identity/index.js';
import '../../../../src/jobs/index.js';
import { dataSourceOptions, preparedStatements } from '../../../../src/platform/database/index.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';

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

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

describe('a hot statement, where 100,000 runs of a tenant wait,', () => {
  beforeAll(async () => {
    await dataSource.query(
      `SET session_replication_role = 'replica';
       INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff,
                         max_attempts, due_at, throttled)
       SELECT 'run_' || n, '${randomUUID()}', 'wide', 'queued', '{"type": "manual"}', '{}', 'echo', 1000, '{}', 1, now(), true
       FROM generate_series(1, 100000) n;
       RESET session_replication_role`,
    );
    await dataSource.query('VACUUM (ANALYZE) runs');
  });

  it.each(STATEMENTS)('$name does not read all runs', async ({ text }) => {
    await dataSource.query(`SET plan_cache_mode = 'force_generic_plan'; PREPARE planned AS ${text}`);
    const types = await parameterTypes('planned');
    const explained = await dataSource.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>(
      `EXPLAIN (FORMAT JSON) EXECUTE planned (${types.map(() => 'NULL').join()})`,
    );
    await dataSource.query('RESET plan_cache_mode; DEALLOCATE planned');
    const nodes = explained.flatMap((row) => row['QUERY PLAN']).flatMap(({ Plan }) => nodesOf(Plan));
    expect(nodes.length).toBeGreaterThan(1);
    const scans = nodes.filter(
      (node) =>
        node['Relation Name'] === 'runs' &&
        / Scan$/.test(node['Node Type']) &&
        node['Index Cond'] === undefined,
    );
    expect(scans.map((node) => node['Index Name'])).toEqual([]);
  });
});
