import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `redirect_to`, `code_challenge`: where the page of a finished mail ends, so that one that is sent again ends there too. */
export class KeepRedirectsOfMails1764470000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE mail_history ADD COLUMN redirect_to text, ADD COLUMN code_challenge text',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mail_history DROP COLUMN redirect_to, DROP COLUMN code_challenge');
  }
}
