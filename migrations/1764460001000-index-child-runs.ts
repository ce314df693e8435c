import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The children of a run. A run's trigger names the run whose handler triggered it, also in runs of earlier releases, and
 * a run without a parent has no entry.
 */
export class IndexChildRuns1764460001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX runs_by_parent ON runs (tenant_id, (trigger ->> 'run_id'), id DESC)
      WHERE trigger ->> 'run_id' IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX runs_by_parent');
  }
}
