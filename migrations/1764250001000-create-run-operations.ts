import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Operations on many runs. An operation knows its runs from the start; `outcome` is null until the run is dealt with,
 * then `done` or an error code. The transaction that retries or cancels a run also writes its outcome.
 */
export class CreateRunOperations1764250001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE run_operations (
        id uuid PRIMARY KEY,
        tenant_id uuid NOT NULL,
        action text NOT NULL,
        total integer NOT NULL,
        done integer NOT NULL DEFAULT 0,
        failed integer NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        created_at timestamptz NOT NULL DEFAULT now(),
        completed_at timestamptz
      )`);
    await runner.query(
      'CREATE INDEX run_operations_due ON run_operations (due_at) WHERE completed_at IS NULL',
    );
    await runner.query('CREATE INDEX run_operations_of_tenant ON run_operations (tenant_id)');
    await runner.query(`
      CREATE TABLE run_operation_items (
        operation_id uuid NOT NULL REFERENCES run_operations (id) ON DELETE CASCADE,
        run_id text NOT NULL,
        outcome text,
        PRIMARY KEY (operation_id, run_id)
      )`);
    await runner.query(
      'CREATE INDEX run_operation_items_pending ON run_operation_items (operation_id, run_id) WHERE outcome IS NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE run_operation_items, run_operations');
  }
}
