import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many runs of each tenant wait for their first attempt, and how long their payloads are.
 *
 * - `waiting_counts` has several rows for a tenant, so that those who accept its runs at one time rarely wait for each
 *   other; their sum is what was accepted, less what was cancelled before it started. One row alone may be below zero.
 * - `tenant_rooms.started_runs` and `started_bytes` are what has been started of that, ever. They change with the room
 *   that the run enters. What waits is the sum less these.
 * - `runs.payload_bytes` is the length of the payload as text; 0 for runs that the release before this one accepted.
 * - `cron_triggers.postponed_until`: the trigger is due, but its tenant had no room for its run.
 *
 * The release before this one counts nothing; what it accepts and starts is made good by the next recount.
 */
export class CountWaitingRuns1764150001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE waiting_counts (
        tenant_id     uuid     NOT NULL,
        shard         smallint NOT NULL,
        runs          bigint   NOT NULL,
        payload_bytes bigint   NOT NULL,
        PRIMARY KEY (tenant_id, shard)
      ) WITH (fillfactor = 50)`);
    await runner.query('ALTER TABLE runs ADD COLUMN payload_bytes integer NOT NULL DEFAULT 0');
    await runner.query(`
      ALTER TABLE tenant_rooms
        ADD COLUMN started_runs bigint NOT NULL DEFAULT 0, ADD COLUMN started_bytes bigint NOT NULL DEFAULT 0`);
    await runner.query('ALTER TABLE cron_triggers ADD COLUMN postponed_until timestamptz');
    await runner.query(
      `CREATE INDEX data_events_postponed ON data_events (tenant_id, id) WHERE refusal = 'waits for room'`,
    );
    await runner.query(`
      INSERT INTO waiting_counts (tenant_id, shard, runs, payload_bytes)
      SELECT tenant_id, 0, count(*), 0 FROM runs WHERE status = 'queued' GROUP BY tenant_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE waiting_counts');
    await runner.query('ALTER TABLE runs DROP COLUMN payload_bytes');
    await runner.query('ALTER TABLE tenant_rooms DROP COLUMN started_runs, DROP COLUMN started_bytes');
    await runner.query('ALTER TABLE cron_triggers DROP COLUMN postponed_until');
    await runner.query(`UPDATE data_events SET refusal = NULL WHERE refusal = 'waits for room'`);
    await runner.query('DROP INDEX data_events_postponed');
  }
}
