import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events that set jobs going.
 *
 * - `event_triggers` has a row for each event of each trigger of a job; `only_jobs` limits the events of runs and jobs to
 *   some jobs.
 * - `tenant_events` is the outbox: one row for each event and each trigger that listens to it, written in the
 *   transaction in which it happens, deleted in the transaction that accepts the run. It refers to no job: a key would
 *   make whatever has events lock jobs.
 * - An operation on runs that a handler began has the origin of the handler's run, for the runs that it adds.
 */
export class CreateTenantEvents1764500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE event_triggers (
        tenant_id uuid    NOT NULL,
        event     text    NOT NULL,
        job_id    text    NOT NULL,
        position  integer NOT NULL,
        only_jobs text[],
        PRIMARY KEY (tenant_id, event, job_id, position),
        FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX event_triggers_job ON event_triggers (tenant_id, job_id)');
    await runner.query(`
      CREATE TABLE tenant_events (
        id                bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant_id         uuid        NOT NULL,
        job_id            text        NOT NULL,
        event_id          uuid        NOT NULL,
        event             text        NOT NULL,
        data              jsonb       NOT NULL,
        depth             integer     NOT NULL,
        follows_run_event boolean     NOT NULL,
        bytes             integer     NOT NULL,
        occurred_at       timestamptz NOT NULL,
        refusal           text
      )`);
    await runner.query('CREATE INDEX tenant_events_waiting ON tenant_events (id) WHERE refusal IS NULL');
    await runner.query(
      `CREATE INDEX tenant_events_postponed ON tenant_events (tenant_id, id) WHERE refusal = 'waits for room'`,
    );
    await runner.query('ALTER TABLE run_operations ADD COLUMN origin jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE run_operations DROP COLUMN origin');
    await runner.query('DROP TABLE tenant_events');
    await runner.query('DROP TABLE event_triggers');
  }
}
