import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Every signing key gets a companion for run tokens, with which it is published and retired. Keys from before this
 * migration have none, and sign run tokens themselves until the next rotation.
 */
export class AddRunTokenKeys1764220000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE signing_keys
        ADD COLUMN run_public_jwk jsonb,
        ADD COLUMN sealed_run_private_key bytea`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE signing_keys
        DROP COLUMN run_public_jwk,
        DROP COLUMN sealed_run_private_key`);
  }
}
