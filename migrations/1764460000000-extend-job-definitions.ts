import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How long a job keeps its ended runs, and which headers of a webhook its runs get. The index is for the few jobs with a
 * retention of their own.
 */
export class ExtendJobDefinitions1764460000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs ADD COLUMN retention_days integer CHECK (retention_days >= 1)');
    await runner.query(
      'CREATE INDEX jobs_with_retention ON jobs (tenant_id, id) WHERE retention_days IS NOT NULL',
    );
    await runner.query(`ALTER TABLE hooks ADD COLUMN forward_headers text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE hooks DROP COLUMN forward_headers');
    await runner.query('ALTER TABLE jobs DROP COLUMN retention_days');
  }
}
