import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Attempts whose handler answered that it goes on and reports the end later. A sign of life changes only a row of this
 * small table; without an index on `expires_at`, and with room left in each page, such an update stays in its page. The
 * count of a tenant lies beside the one of its running runs, of which deferred ones are a part.
 */
export class CreateDeferredAttempts1764490000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE deferred_attempts (
        run_id     text        PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
        tenant_id  uuid        NOT NULL,
        fence      integer     NOT NULL,
        expires_at timestamptz NOT NULL
      ) WITH (fillfactor = 50)`);
    await runner.query('ALTER TABLE tenant_concurrency ADD COLUMN deferred integer NOT NULL DEFAULT 0');
    // A deferred attempt runs without a worker. Not validated: the rows that there are met the stricter rule.
    await runner.query('ALTER TABLE runs DROP CONSTRAINT runs_check');
    await runner.query(
      `ALTER TABLE runs ADD CONSTRAINT runs_check CHECK (status = 'running' OR worker_id IS NULL) NOT VALID`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE runs DROP CONSTRAINT runs_check');
    await runner.query(
      `ALTER TABLE runs ADD CONSTRAINT runs_check CHECK ((status = 'running') = (worker_id IS NOT NULL)) NOT VALID`,
    );
    await runner.query('ALTER TABLE tenant_concurrency DROP COLUMN deferred');
    await runner.query('DROP TABLE deferred_attempts');
  }
}
