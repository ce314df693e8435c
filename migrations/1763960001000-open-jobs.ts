import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Jobs that a project opens to its users, and the runs that users triggered, which they may read. */
export class OpenJobs1763960001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE jobs ADD COLUMN invocable_by text CHECK (invocable_by IN ('authenticated'))`,
    );
    await runner.query(`
      CREATE INDEX runs_of_user ON runs (tenant_id, (trigger ->> 'user_id'), id DESC)
      WHERE (trigger ->> 'user_id') IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX runs_of_user');
    await runner.query('ALTER TABLE jobs DROP COLUMN invocable_by');
  }
}
