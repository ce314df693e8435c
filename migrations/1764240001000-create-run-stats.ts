import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many runs were accepted and ended, and how long they waited and took (decision 0057).
 *
 * - `run_stats_pending` gets a row from each statement that accepts or ends runs, for each of their jobs. The roll-up
 *   deletes these rows and adds them to `run_stats` in one statement.
 * - `run_stats` has a row per minute, hour and day (`minutes`) in which something happened, for each job and, with an
 *   empty `job_id`, for all jobs of the tenant.
 * - `durations` and `waits` are histograms: each element is 256 times the number of runs, plus their bucket.
 *
 * Nothing is counted for runs of before this migration, or of programs of the previous release beside this one.
 */
export class CreateRunStats1764240001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE run_stats_pending (
        tenant_id    uuid        NOT NULL,
        job_id       text        NOT NULL,
        at           timestamptz NOT NULL DEFAULT now(),
        accepted     integer     NOT NULL DEFAULT 0,
        completed    integer     NOT NULL DEFAULT 0,
        failed       integer     NOT NULL DEFAULT 0,
        cancelled    integer     NOT NULL DEFAULT 0,
        durations_ms bigint[],
        waits_ms     bigint[]
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`);
    await runner.query('CREATE INDEX run_stats_pending_tenant ON run_stats_pending (tenant_id)');
    await runner.query('CREATE INDEX run_stats_pending_age ON run_stats_pending (at)');
    await runner.query(`
      CREATE TABLE run_stats (
        tenant_id uuid        NOT NULL,
        job_id    text        NOT NULL,
        minutes   smallint    NOT NULL CHECK (minutes IN (1, 60, 1440)),
        at        timestamptz NOT NULL,
        accepted  bigint      NOT NULL,
        completed bigint      NOT NULL,
        failed    bigint      NOT NULL,
        cancelled bigint      NOT NULL,
        durations bigint[]    NOT NULL,
        waits     bigint[]    NOT NULL,
        PRIMARY KEY (tenant_id, job_id, minutes, at)
      ) WITH (fillfactor = 70)`);
    await runner.query('CREATE INDEX run_stats_age ON run_stats (minutes, at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE run_stats');
    await runner.query('DROP TABLE run_stats_pending');
  }
}
