import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Secrets of tenants: the value sealed under the data key and bound to its row, so that no other row can have it. */
export class CreateVaultSecrets1763920000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE vault_secrets (
        id           uuid        PRIMARY KEY,
        tenant_id    uuid        NOT NULL,
        path         text        NOT NULL,
        sealed_value bytea       NOT NULL,
        created_at   timestamptz NOT NULL DEFAULT now(),
        updated_at   timestamptz NOT NULL DEFAULT now(),
        UNIQUE (tenant_id, path)
      )`);
    await runner.query(`CREATE INDEX vault_secrets_listing ON vault_secrets (tenant_id, id DESC)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE vault_secrets`);
  }
}
