import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The schedules of jobs, one row for each cron trigger.
 *
 * - `position` is the trigger's index within its job. The row repeats what the manifest says of it, so that
 *   firing reads one row.
 * - `settled_until`: no instant up to this one is still to fire; it has fired, or was dropped, or was over when
 *   the trigger came. It only grows, and in the transaction that adds the runs, so each instant fires once.
 * - `next_fire_at` is the first instant after that, in the schedule's own time and never rounded; null when none
 *   can be told. When a job fires next is `min(next_fire_at)` of its rows, whether it is paused or not.
 * - `service_now()` is the clock of schedules. A test that drives a scheduler through time replaces it.
 */
export class CreateCronTriggers1763910000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE FUNCTION service_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT now()'`,
    );
    await runner.query(`
      CREATE TABLE cron_triggers (
        tenant_id     uuid        NOT NULL,
        job_id        text        NOT NULL,
        position      integer     NOT NULL,
        schedule      text        NOT NULL,
        timezone      text        NOT NULL,
        misfire       text        NOT NULL CHECK (misfire IN ('once', 'skip')),
        payload       json        NOT NULL,
        settled_until timestamptz NOT NULL,
        next_fire_at  timestamptz,
        PRIMARY KEY (tenant_id, job_id, position),
        FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX cron_triggers_due ON cron_triggers (next_fire_at)');
    // In the database, so that no way of ending a pause can forget it.
    await runner.query(`
      CREATE FUNCTION settle_cron_triggers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE cron_triggers SET settled_until = greatest(settled_until, service_now())
        WHERE tenant_id = NEW.tenant_id AND job_id = NEW.id;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER jobs_resumed AFTER UPDATE OF paused ON jobs
      FOR EACH ROW WHEN (OLD.paused AND NOT NEW.paused) EXECUTE FUNCTION settle_cron_triggers()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER jobs_resumed ON jobs');
    await runner.query('DROP FUNCTION settle_cron_triggers()');
    await runner.query('DROP TABLE cron_triggers');
    await runner.query('DROP FUNCTION service_now()');
  }
}
