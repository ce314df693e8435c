import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The order of the runs of a tenant, and the instant by which a run must have started. */
export class AddRunPriorities1764480000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE jobs
        ADD COLUMN priority integer NOT NULL DEFAULT 0 CHECK (priority BETWEEN -100 AND 100),
        ADD COLUMN start_within_ms integer CHECK (start_within_ms >= 1)`);
    await runner.query(`
      ALTER TABLE runs ADD COLUMN priority integer NOT NULL DEFAULT 0, ADD COLUMN start_before timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE runs DROP COLUMN priority, DROP COLUMN start_before');
    await runner.query('ALTER TABLE jobs DROP COLUMN priority, DROP COLUMN start_within_ms');
  }
}
