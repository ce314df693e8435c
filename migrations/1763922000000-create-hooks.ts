import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Hooks, by their names, and what was delivered to them lately. A delivery is remembered in the transaction of
 * its run, by the hash of the id that its provider gave it.
 */
export class CreateHooks1763922000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE hooks (
        name         text  PRIMARY KEY,
        tenant_id    uuid  NOT NULL,
        job_id       text  NOT NULL,
        method       text  NOT NULL,
        verification jsonb NOT NULL,
        secret_path  text,
        FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX hooks_job ON hooks (tenant_id, job_id)`);
    await runner.query(
      `CREATE INDEX hooks_secret ON hooks (tenant_id, secret_path) WHERE secret_path IS NOT NULL`,
    );
    await runner.query(`
      CREATE TABLE hook_deliveries (
        tenant_id   uuid        NOT NULL,
        hook        text        NOT NULL,
        id_hash     bytea       NOT NULL,
        run_id      text        NOT NULL,
        received_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, hook, id_hash)
      )`);
    await runner.query(`CREATE INDEX hook_deliveries_age ON hook_deliveries (received_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE hook_deliveries');
    await runner.query('DROP TABLE hooks');
  }
}
