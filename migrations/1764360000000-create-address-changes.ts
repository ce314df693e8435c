import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Changes of address that wait for the mail to the new address.
 *
 * - `former_email` and `password_digest`: what the account had when it was asked for. The token counts only while both
 *   are so: a new password or another address voids it.
 */
export class CreateAddressChanges1764360000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE address_changes (
        user_id         uuid        PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        token_hash      bytea       NOT NULL UNIQUE,
        former_email    text        NOT NULL,
        new_email       text        NOT NULL,
        password_digest bytea       NOT NULL,
        expires_at      timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX address_changes_expiry ON address_changes (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE address_changes');
  }
}
