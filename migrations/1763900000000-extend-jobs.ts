import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Jobs can be paused, and bounded in how many of their runs are in work at one time. */
export class ExtendJobs1763900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE jobs
        ADD COLUMN paused boolean NOT NULL DEFAULT false,
        ADD COLUMN max_concurrent_runs integer CHECK (max_concurrent_runs >= 1)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs DROP COLUMN paused, DROP COLUMN max_concurrent_runs');
  }
}
