import { randomUUID } from 'node:crypto';
import { HOT_STATEMENTS, HotStatements } from '../../../support/hot-statements.js';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Of the function that the exchange calls. */
const TURN = {
  name: 'runs_in_turn',
  text: `SELECT id FROM runs_in_turn($1::uuid, '-infinity', now(), $2::int)`,
};

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

describe('a hot statement, where 100,000 runs of a tenant wait,', () => {
  let statements: HotStatements;

  beforeAll(async () => {
    statements = await HotStatements.connect();
    await statements.dataSource.query(
      `SET session_replication_role = 'replica';
       INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff,
                         max_attempts, due_at)
       SELECT 'run_' || n, '${randomUUID()}', 'wide', 'queued', '{"type": "manual"}', '{}', 'echo', 1000, '{}', 1, now()
       FROM generate_series(1, 100000) n;
       RESET session_replication_role`,
    );
    await statements.dataSource.query('VACUUM (ANALYZE) runs');
  });

  afterAll(() => statements.stop());

  it.each([...HOT_STATEMENTS, TURN])('$name does not read all runs', async ({ text }) => {
    const explained = await statements.genericPlan<{ Plan: PlanNode }[]>(text, '(FORMAT JSON)');
    const nodes = explained.flat().flatMap(({ Plan }) => nodesOf(Plan));
    expect(nodes.length).toBeGreaterThan(0);
    const scans = nodes.filter(
      (node) =>
        node['Relation Name'] === 'runs_active' &&
        / Scan$/.test(node['Node Type']) &&
        node['Index Cond'] === undefined,
    );
    expect(scans.map((node) => node['Index Name'])).toEqual([]);
  });
});
