import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The way from the page of a mail back into the application.
 *
 * - `redirect_to`, `code_challenge`: where the page of this link ends, and to whom its code is bound (RFC 7636).
 * - `projects.redirect_urls`: where the pages of a project's mails may end.
 * - `sign_in_codes`: what pages add to these URLs. A code holds for the address and the password that the account had.
 */
export class CreateSignInCodes1764420000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['one_time_tokens', 'address_changes']) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN redirect_to text, ADD COLUMN code_challenge text`);
    }
    await runner.query('ALTER TABLE invitations ADD COLUMN redirect_to text');
    await runner.query(`ALTER TABLE projects ADD COLUMN redirect_urls text[] NOT NULL DEFAULT '{}'`);
    await runner.query(`
      CREATE TABLE sign_in_codes (
        code_hash       bytea       PRIMARY KEY,
        user_id         uuid        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        proof           text        NOT NULL,
        email           text        NOT NULL,
        password_digest bytea       NOT NULL,
        code_challenge  text,
        expires_at      timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX sign_in_codes_user ON sign_in_codes (user_id)');
    await runner.query('CREATE INDEX sign_in_codes_expiry ON sign_in_codes (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sign_in_codes');
    await runner.query('ALTER TABLE projects DROP COLUMN redirect_urls');
    await runner.query('ALTER TABLE invitations DROP COLUMN redirect_to');
    for (const table of ['one_time_tokens', 'address_changes']) {
      await runner.query(`ALTER TABLE ${table} DROP COLUMN redirect_to, DROP COLUMN code_challenge`);
    }
  }
}
