import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The secrets with which calls to a tenant's handlers are signed, sealed under the data key. A tenant has one
 * without an end; a replaced one signs beside it until `signs_until`.
 */
export class CreateSigningSecrets1763921000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE signing_secrets (
        id            uuid        PRIMARY KEY,
        tenant_id     uuid        NOT NULL,
        sealed_secret bytea       NOT NULL,
        created_at    timestamptz NOT NULL DEFAULT now(),
        signs_until   timestamptz
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX signing_secrets_current ON signing_secrets (tenant_id) WHERE signs_until IS NULL`,
    );
    await runner.query(`CREATE INDEX signing_secrets_tenant ON signing_secrets (tenant_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE signing_secrets');
  }
}
