import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  runs_throttled_by_priority: `(tenant_id, priority DESC, due_at) WHERE throttled AND NOT throttled_by_job`,
  runs_throttled_by_job_by_priority: `(tenant_id, job_id, priority DESC, due_at) WHERE throttled AND throttled_by_job`,
  runs_to_start_before: `(start_before) WHERE status = 'queued' AND start_before IS NOT NULL`,
};

/**
 * The indexes have exactly the order in which throttled runs are picked. Those by due time alone stay for the previous
 * release, which runs beside this one. They are built while runs are written, which takes no transaction.
 */
export class IndexRunPriorities1764480001000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('SET statement_timeout = 0');
    for (const [name, definition] of Object.entries(INDEXES)) {
      // One that was interrupted is there, and invalid.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON runs ${definition}`);
    }
    await runner.query(`SET statement_timeout = '60s'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX IF EXISTS ${name}`);
  }
}
