import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs that wait and have their wake-up. Accepting a run counts those of its tenant. */
export class IndexWokenRuns1764230000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX runs_woken ON runs (tenant_id, due_at) WHERE status IN ('queued', 'retrying') AND NOT throttled`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX runs_woken');
  }
}
