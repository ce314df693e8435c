import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lines of logs are ordered by their number alone.
 *
 * - By (xid, id), readers waited for the oldest transaction of the whole server that wrote anything, and lines of a
 *   dump stood after all that came once it was restored in another server, whose transactions count from the beginning.
 * - Numbers are taken before their commit, so a lower one may come to light later. `settled_log_id` answers up to which
 *   none will: it waits for the transactions that had taken a number when it was called.
 */
export class OrderLogsByNumber1764010000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The primary key and both indexes go with their column.
    await runner.query('ALTER TABLE run_logs DROP COLUMN xid, ADD PRIMARY KEY (id)');
    await runner.query('CREATE INDEX run_logs_run ON run_logs (run_id, id)');
    await runner.query('CREATE INDEX run_logs_tenant ON run_logs (tenant_id, id)');
    // Who takes a number locks the sequence before, until the transaction's end; who deletes lines does not. The number
    // is read before the locks: who has one up to it holds a lock by then, or has ended. The answer is a line's, not
    // the number itself, since a crash takes back numbers that were not committed.
    await runner.query(`
      CREATE FUNCTION settled_log_id(patience_ms integer) RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE allocated bigint; writers text[]; looks integer := patience_ms / 5;
      BEGIN
        SELECT last_value INTO allocated FROM run_logs_id_seq;
        SELECT array_agg(virtualtransaction) INTO writers FROM pg_locks
        WHERE relation = 'run_logs_id_seq'::regclass AND mode = 'RowExclusiveLock' AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
        WHILE EXISTS (
          SELECT FROM pg_locks
          WHERE relation = 'run_logs_id_seq'::regclass AND mode = 'RowExclusiveLock' AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND virtualtransaction = ANY (writers)
        ) LOOP
          IF looks <= 0 THEN RETURN NULL; END IF;
          looks := looks - 1;
          PERFORM pg_sleep(0.005);
        END LOOP;
        RETURN (SELECT coalesce(max(id), 0) FROM run_logs WHERE id <= allocated);
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION settled_log_id(integer)');
    await runner.query('DROP INDEX run_logs_run, run_logs_tenant');
    await runner.query(`
      ALTER TABLE run_logs DROP CONSTRAINT run_logs_pkey,
        ADD COLUMN xid xid8 NOT NULL DEFAULT pg_current_xact_id(), ADD PRIMARY KEY (xid, id)`);
    await runner.query('CREATE INDEX run_logs_run ON run_logs (run_id, xid, id)');
    await runner.query('CREATE INDEX run_logs_tenant ON run_logs (tenant_id, xid, id)');
  }
}
