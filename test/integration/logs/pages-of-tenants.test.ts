import { HIGHEST_LINE, NEWEST_FIRST, OLDEST_FIRST } from '../../../src/jobs/logs/line-statements.js';
import { LOG_LEVELS } from '../../../src/jobs/logs/index.js';
import { HotStatements } from '../../support/hot-statements.js';

const IDLE = '00000000-0000-7000-8000-000000000000';
const BUSY = '00000000-0000-7000-8000-000000000007';

/** Twenty tenants whose lines come in turn, and one with a single line. */
const FILL = `
  INSERT INTO run_changes (last_line, first_line, tenant_id, at, run_ids, job_ids, levels)
  SELECT n, n, ('00000000-0000-7000-8000-' || lpad((1 + n % 20)::text, 12, '0'))::uuid, now(), ARRAY['run_' || n], '{job}', '{info}'
  FROM generate_series(1, 20000) n;
  INSERT INTO run_logs (id, tenant_id, run_id, job_id, level, message) OVERRIDING SYSTEM VALUE
  SELECT 20000 + n, ('00000000-0000-7000-8000-' || lpad((1 + n % 20)::text, 12, '0'))::uuid, 'run_' || n, 'job', 'info', 'hello'
  FROM generate_series(1, 20000) n;
  INSERT INTO run_changes VALUES (50000, 50000, '${IDLE}', now(), '{run_idle}', '{job}', '{error}');
  INSERT INTO run_logs (id, tenant_id, run_id, job_id, level, message) OVERRIDING SYSTEM VALUE
  VALUES (50001, '${IDLE}', 'run_idle', 'job', 'error', 'hello');
  ANALYZE run_changes; ANALYZE run_logs`;

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

describe('a page of the log of a tenant', () => {
  let statements: HotStatements;

  beforeAll(async () => {
    statements = await HotStatements.connect();
    await statements.dataSource.query(FILL);
  });

  afterAll(async () => {
    await statements.stop();
  });

  /** How many rows of the two tables were looked at, and by which indexes. */
  async function looked(
    text: string,
    tenantId: string,
    levels: readonly string[],
  ): Promise<{ rows: number; indexes: string[] }> {
    const [explained] = await statements.dataSource.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      [100, 100_000, '0', String(HIGHEST_LINE), [tenantId], levels, null, null],
    );
    if (explained === undefined) throw new Error('the statement has no plan');
    const nodes = nodesOf(explained['QUERY PLAN'][0].Plan);
    const rows = nodes
      .filter((node) => ['run_changes', 'run_logs'].includes(node['Relation Name'] ?? ''))
      .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']);
    return {
      rows: rows.reduce((sum, each) => sum + each, 0),
      indexes: [...new Set(nodes.flatMap((node) => node['Index Name'] ?? []))]
        .filter((name) => name.startsWith('run_'))
        .sort(),
    };
  }

  it.each([
    ['oldest first', OLDEST_FIRST.ofTenants],
    ['newest first', NEWEST_FIRST.ofTenants],
  ])('is read from the lines of that tenant alone, %s', async (_, text) => {
    const indexes = ['run_changes_tenant', 'run_logs_tenant'];
    expect(await looked(text, IDLE, LOG_LEVELS)).toEqual({ rows: 2, indexes });
    // Of a level that it has none of: all of its own, and nobody else's.
    const searched = await looked(text, BUSY, ['error']);
    expect(searched.indexes).toEqual(indexes);
    expect(searched.rows).toBeLessThanOrEqual(2_000);
  });
});
