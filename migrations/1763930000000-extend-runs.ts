import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the list of runs and their retention look by. `runs_unsuccessful` is partial, since what most runs of a
 * tenant are, the list itself finds quickly; `runs_finished` is what retention walks, oldest first.
 *
 * `tenant_rooms.removed_at` says that the tenant is gone: nothing is registered for it any more, and its history,
 * which nobody can read, need not grow old.
 */
export class ExtendRuns1763930000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX runs_by_job ON runs (tenant_id, job_id, id DESC)');
    await runner.query(`CREATE INDEX runs_by_trigger ON runs (tenant_id, (trigger ->> 'type'), id DESC)`);
    await runner.query(
      `CREATE INDEX runs_unsuccessful ON runs (tenant_id, id DESC) WHERE status IN ('failed', 'cancelled')`,
    );
    await runner.query(
      `CREATE INDEX runs_finished ON runs (completed_at) WHERE status IN ('completed', 'failed', 'cancelled')`,
    );
    await runner.query('ALTER TABLE tenant_rooms ADD COLUMN removed_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tenant_rooms DROP COLUMN removed_at');
    for (const index of ['runs_finished', 'runs_unsuccessful', 'runs_by_trigger', 'runs_by_job'])
      await runner.query(`DROP INDEX ${index}`);
  }
}
