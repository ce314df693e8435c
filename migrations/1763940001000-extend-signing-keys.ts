import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens of runs may live longer than access tokens; a key that signed one stays published until it has expired. */
export class ExtendSigningKeys1763940001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE signing_keys ADD COLUMN tokens_until timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE signing_keys DROP COLUMN tokens_until');
  }
}
