import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Room for the runs of one job, beside that of its tenant, and the order in which waiting runs are called.
 *
 * - `job_rooms.running` counts as `tenant_rooms.running` does, and changes in the same statements. Its row
 *   outlives the job, for a run may.
 * - `runs.parked_by_job` says of a parked run that it waits for room of its job, not of its tenant: it stands in
 *   no other job's way.
 * - `tenant_rooms.parked_at` is when a run was last parked for want of room. Whoever leaves room reads it from the
 *   row that it locks, and so hears of a run that was parked after its own statement began.
 */
export class CreateJobRooms1763940000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE job_rooms (
        tenant_id uuid    NOT NULL,
        job_id    text    NOT NULL,
        running   integer NOT NULL CHECK (running >= 0),
        PRIMARY KEY (tenant_id, job_id)
      )`);
    await runner.query(`
      INSERT INTO job_rooms (tenant_id, job_id, running)
      SELECT tenant_id, job_id, count(*)::int FROM runs WHERE status = 'running' GROUP BY tenant_id, job_id`);
    await runner.query('ALTER TABLE tenant_rooms ADD COLUMN parked_at timestamptz');
    await runner.query('ALTER TABLE runs ADD COLUMN parked_by_job boolean NOT NULL DEFAULT false');
    await runner.query('DROP INDEX runs_waiting, runs_due, runs_parked');
    await runner.query(
      `CREATE INDEX runs_waiting ON runs (tenant_id, parked_by_job, due_at) WHERE status IN ('queued', 'retrying')`,
    );
    await runner.query(
      `CREATE INDEX runs_due ON runs (parked, due_at) WHERE status IN ('queued', 'retrying')`,
    );
    await runner.query(
      'CREATE INDEX runs_parked ON runs (tenant_id, due_at) WHERE parked AND NOT parked_by_job',
    );
    await runner.query(
      'CREATE INDEX runs_parked_by_job ON runs (tenant_id, job_id, due_at) WHERE parked AND parked_by_job',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX runs_waiting, runs_due, runs_parked, runs_parked_by_job');
    await runner.query('ALTER TABLE runs DROP COLUMN parked_by_job');
    await runner.query('ALTER TABLE tenant_rooms DROP COLUMN parked_at');
    await runner.query('DROP TABLE job_rooms');
    await runner.query(
      `CREATE INDEX runs_waiting ON runs (tenant_id, due_at) WHERE status IN ('queued', 'retrying')`,
    );
    await runner.query(`CREATE INDEX runs_due ON runs (due_at) WHERE status IN ('queued', 'retrying')`);
    await runner.query('CREATE INDEX runs_parked ON runs (tenant_id, due_at) WHERE parked');
  }
}
